package org.alfamix.lab.run;

import java.util.Map;

/**
 * Receives the progress of experiments. Calls are synchronized but may come from any thread. Only
 * failures must be handled.
 */
@FunctionalInterface
public interface LabListener {

  /** Called when a run has failed; the others continue. */
  void failed(Job job, Throwable why);

  /**
   * Called before the first run.
   *
   * @param finished number of completed rounds of each run
   */
  default void planned(Map<Job, Integer> finished) {}

  /** Called when a round is complete and on disk. */
  default void round(Job job, Round round) {}

  /** Called when all rounds of a run are complete. */
  default void finished(Job job, Round last) {}

  /** Called before the map of a setting's latent space is computed. */
  default void drawing(String setting) {}

  /** Called when the map could not be computed; the runs are not affected. */
  default void mapFailed(String setting, Throwable why) {}

  /** Returns a listener that forwards one call at a time to this one. */
  default LabListener asSynchronized() {
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
      public synchronized void mapFailed(String setting, Throwable why) {
        to.mapFailed(setting, why);
      }
    };
  }
}
