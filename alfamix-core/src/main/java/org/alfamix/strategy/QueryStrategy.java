package org.alfamix.strategy;

import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.Parallel;
import org.alfamix.model.Snapshot;

/**
 * Decides which unlabelled items are worth a label: a pure function of a snapshot, a budget and a
 * source of randomness. The same three give the same picks, on any number of threads.
 */
public interface QueryStrategy {

  /** Its name on the command line and in results, as {@code least-confidence}. */
  String name();

  /** What it needs of a snapshot. */
  Set<Requirement> requirements();

  /**
   * Whether it looks at the labelled embeddings where there are some. Those who do not need not be
   * given them, which counts where they are many.
   */
  default boolean usesLabelled() {
    return requirements().contains(Requirement.LABELLED);
  }

  /**
   * Whether it scores each item by itself and takes the best, so that every item has a rank and a
   * larger budget appends to the picks of a smaller one.
   */
  default boolean ranks() {
    return false;
  }

  /**
   * Number of dropout samples it uses where a learner can draw them; 0 where it needs none. A
   * snapshot may have another number of samples, or none.
   */
  default int dropoutSamples() {
    return 0;
  }

  /**
   * The heart of a strategy, called by {@link #select} after its checks.
   *
   * @param snapshot meets the {@link #requirements}
   * @param budget at least 1, at most the size of the pool
   * @return exactly {@code budget} picks
   */
  Selection choose(Snapshot snapshot, int budget, RandomGenerator random);

  /**
   * The same with at most some picks of each predicted class. The default asks {@link
   * #choose(Snapshot, int, RandomGenerator)} again until the batch is full; override it where picks
   * depend on the picks before them.
   *
   * @return {@code budget} picks, or fewer where the cap allows no more
   */
  default Selection choose(Snapshot snapshot, int budget, ClassCap cap, RandomGenerator random) {
    return CappedRounds.choose(this, snapshot, budget, cap, random);
  }

  /**
   * Chooses the next batch. A budget beyond the size of the pool takes the whole pool.
   *
   * @throws InvalidRequestException where the budget is not positive or the snapshot lacks
   *     something
   */
  default Selection select(Snapshot snapshot, int budget, RandomGenerator random) {
    requireUsable(snapshot, budget);
    if (snapshot.size() == 0) {
      return Selection.EMPTY;
    }
    int picks = Math.min(budget, snapshot.size());
    return Parallel.inPool(() -> choose(snapshot, picks, random));
  }

  /**
   * Chooses the next batch with at most some picks of each predicted class. There are fewer picks
   * than the budget where the cap allows no more.
   *
   * @param cap made for this snapshot and this call
   * @throws InvalidRequestException as {@link #select(Snapshot, int, RandomGenerator)}
   */
  default Selection select(Snapshot snapshot, int budget, ClassCap cap, RandomGenerator random) {
    requireUsable(snapshot, budget);
    if (snapshot.size() == 0) {
      return Selection.EMPTY;
    }
    int picks = Math.min(budget, snapshot.size());
    return Parallel.inPool(() -> choose(snapshot, picks, cap, random));
  }

  private void requireUsable(Snapshot snapshot, int budget) {
    if (budget < 1) {
      throw new InvalidRequestException("budget", "must be at least 1, got " + budget + ".");
    }
    Set<Requirement> missing =
        requirements().stream()
            .filter(requirement -> !requirement.isMetBy(snapshot))
            .collect(Collectors.toSet());
    if (!missing.isEmpty()) {
      String what =
          missing.stream()
              .sorted()
              .map(Requirement::description)
              .collect(Collectors.joining(" and "));
      throw new InvalidRequestException(
          "%s needs %s, which the snapshot does not have.".formatted(name(), what));
    }
  }
}
