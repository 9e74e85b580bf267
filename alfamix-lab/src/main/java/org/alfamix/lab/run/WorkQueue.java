package org.alfamix.lab.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The queue of runs and maps to compute. Runs are ordered by seed, so that a comparison is
 * available early, and within a seed by descending duration, so that no thread is left with a long
 * run at the end. The map of a setting is computed as soon as the runs that it shows are complete.
 */
final class WorkQueue {
  private final List<Job> pending;
  private final List<Experiment> maps = new ArrayList<>();
  private final Set<Job> finished = new HashSet<>();
  private final ProgressEstimate pace;

  WorkQueue(List<Experiment> experiments, Map<Job, Integer> rounds) {
    this.pending = new ArrayList<>(rounds.keySet());
    this.pace = new ProgressEstimate(rounds, 1);
    for (Experiment experiment : experiments) {
      if (experiment.setting().latentItems() > 0) {
        maps.add(experiment);
      }
    }
  }

  /** Returns an experiment whose map can be computed now, and removes it. */
  synchronized Optional<Experiment> nextMap() {
    Optional<Experiment> ready =
        maps.stream().filter(experiment -> finished.containsAll(shown(experiment))).findFirst();
    ready.ifPresent(maps::remove);
    return ready;
  }

  /** Returns the runs whose picks a map shows: those of the first seed. */
  private static List<Job> shown(Experiment experiment) {
    return experiment.jobs().subList(0, experiment.methods().size());
  }

  synchronized Optional<Job> nextJob() {
    if (pending.isEmpty()) {
      return Optional.empty();
    }
    Job first = pending.get(0);
    Job longest =
        pending.stream()
            .filter(job -> job.seed() == first.seed() && job.setting() == first.setting())
            .max(
                // Unknown durations come first, to measure them; ties go to the first in the list.
                Comparator.<Job, Boolean>comparing(job -> Double.isNaN(pace.secondsLeft(job)))
                    .thenComparingDouble(pace::secondsLeft)
                    .thenComparing(pending::indexOf, Comparator.reverseOrder()))
            .orElseThrow();
    pending.remove(longest);
    return Optional.of(longest);
  }

  synchronized void round(Job job, Round round) {
    pace.round(job, round);
  }

  synchronized void finished(Job job) {
    finished.add(job);
  }
}
