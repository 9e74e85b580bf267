package org.alfamix.lab.run;

import java.util.Map;

/**
 * Hears how experiments go. Calls come one at a time, from any thread; failures are what everyone
 * must hear of.
 */
@FunctionalInterface
public interface LabListener {

  /** A run came to grief; the others go on. */
  void failed(Job job, Throwable why);

  /**
   * Before anything runs.
   *
   * @param finished how many rounds of each run are there already
   */
  default void planned(Map<Job, Integer> finished) {}

  /** A round was finished and is on the disk. */
  default void round(Job job, Round round) {}

  /** All rounds of a run are there. */
  default void finished(Job job, Round last) {}

  /** The picture of a setting's latent space is being made. */
  default void drawing(String setting) {}

  /** It could not be made; the runs are there all the same. */
  default void notDrawn(String setting, Throwable why) {}

  /** The same, spared from being called by two runs at once. */
  default LabListener oneAtATime() {
    LabListener to = this;
    return new LabListener() {
      @Override
      public synchronized void failed(Job job, Throwable why) {
        to.failed(job, why);
      }

      @Override
      public synchronized void planned(Map<Job, Integer> finished) {
        to.planned(finished);
      }

      @Override
      public synchronized void round(Job job, Round round) {
        to.round(job, round);
      }

      @Override
      public synchronized void finished(Job job, Round last) {
        to.finished(job, last);
      }

      @Override
      public synchronized void drawing(String setting) {
        to.drawing(setting);
      }

      @Override
      public synchronized void notDrawn(String setting, Throwable why) {
        to.notDrawn(setting, why);
      }
    };
  }
}
