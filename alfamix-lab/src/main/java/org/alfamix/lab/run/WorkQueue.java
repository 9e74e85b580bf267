package org.alfamix.lab.run;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What there is to do, in the order in which it should be done: seed by seed, so that a comparison
 * is there early, and of one seed what takes longest first, so that no processor is left with a
 * long run at the end. The picture of a setting is made as soon as the runs it shows are there.
 */
final class WorkQueue {
  private final List<Job> pending;
  private final List<Experiment> pictures = new ArrayList<>();
  private final Set<Job> finished = new HashSet<>();
  private final Pace pace;

  WorkQueue(List<Experiment> experiments, Map<Job, Integer> rounds) {
    this.pending = new ArrayList<>(rounds.keySet());
    this.pace = new Pace(rounds, 1);
    for (Experiment experiment : experiments) {
      if (experiment.setting().latentItems() > 0) {
        pictures.add(experiment);
      }
    }
  }

  /** A setting whose picture can be made now. */
  synchronized Optional<Experiment> nextPicture() {
    Optional<Experiment> ready =
        pictures.stream().filter(experiment -> finished.containsAll(shown(experiment))).findFirst();
    ready.ifPresent(pictures::remove);
    return ready;
  }

  /** The runs whose picks a picture shows: those of the first seed. */
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
                // What nobody knows yet is found out first; of equals, what was named first.
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
