package org.alfamix.lab.run;

import java.util.Map;

/** Hears how experiments go. Calls come one at a time, from any thread. */
public interface LabListener {

  /**
   * Before anything runs.
   *
   * @param finished how many rounds of each run are there already
   */
  void planned(Map<Job, Integer> finished);

  /** A run was taken up. */
  default void begun(Job job) {}

  /** A round was finished and is on the disk. */
  void round(Job job, Round round);

  /** All rounds of a run are there. */
  void finished(Job job, Round last);

  /** A run came to grief; the others go on. */
  void failed(Job job, Throwable why);

  /** The picture of a setting's latent space is being made. */
  default void drawing(String setting) {}

  /** It could not be made; the runs are there all the same. */
  default void notDrawn(String setting, Throwable why) {}
}
