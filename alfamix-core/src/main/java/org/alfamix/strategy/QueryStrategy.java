package org.alfamix.strategy;

import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.Parallel;
import org.alfamix.model.Snapshot;

/**
 * Selects the unlabelled items to label. A strategy is a pure function of a snapshot, a budget and
 * a random generator: the same arguments give the same picks, on any number of threads.
 */
public interface QueryStrategy {

  /** Returns the name on the command line and in results, such as {@code least-confidence}. */
  String name();

  /** Returns the parts of a snapshot that this strategy requires. */
  Set<Requirement> requirements();

  /**
   * Returns whether this strategy uses labelled embeddings if they are available. Otherwise callers
   * can omit them, which saves memory if there are many.
   */
  default boolean usesLabelled() {
    return requirements().contains(Requirement.LABELLED);
  }

  /**
   * Returns whether this strategy scores each item independently and selects the best, so that
   * every item has a rank and a larger budget appends to the picks of a smaller one.
   */
  default boolean ranks() {
    return false;
  }

  /**
   * Returns the number of dropout samples to use if a learner can provide them; 0 if this strategy
   * needs none. A snapshot may have a different number of samples, or none.
   */
  default int dropoutSamples() {
    return 0;
  }

  /**
   * Selects the picks; called by {@link #select} after its checks.
   *
   * @param snapshot meets the {@link #requirements}
   * @param budget at least 1, at most the size of the pool
   * @return exactly {@code budget} picks
   */
  Selection choose(Snapshot snapshot, int budget, RandomGenerator random);

  /**
   * Selects the picks with a cap on the picks of each predicted class. The default calls {@link
   * #choose(Snapshot, int, RandomGenerator)} repeatedly until the batch is full. Override it if
   * picks depend on earlier picks.
   *
   * @return {@code budget} picks, or fewer if the cap does not allow more
   */
  default Selection choose(Snapshot snapshot, int budget, ClassCap cap, RandomGenerator random) {
    return CappedRounds.choose(this, snapshot, budget, cap, random);
  }

  /**
   * Selects the next batch. A budget larger than the pool selects the whole pool.
   *
   * @throws InvalidRequestException if the budget is not positive or the snapshot lacks a
   *     requirement
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
   * Selects the next batch with a cap on the picks of each predicted class. The batch is smaller
   * than the budget if the cap does not allow more picks.
   *
   * @param cap a cap that was created for this snapshot and this call
   * @throws InvalidRequestException like {@link #select(Snapshot, int, RandomGenerator)}
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
      String descriptions =
          missing.stream()
              .sorted()
              .map(Requirement::description)
              .collect(Collectors.joining(" and "));
      throw new InvalidRequestException(
          "%s needs %s, which the snapshot does not have.".formatted(name(), descriptions));
    }
  }
}
