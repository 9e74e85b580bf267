package org.alfamix.strategy;

import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.cluster.EuclideanCover;
import org.alfamix.cluster.KCenterGreedy;
import org.alfamix.cluster.PickConstraint;
import org.alfamix.model.Snapshot;

/**
 * CoreSet: selects items whose embeddings are farthest from all labelled items and earlier picks.
 * The score is that distance at the time of the pick. Does not require labels.
 *
 * <p>O. Sener and S. Savarese, "Active learning for convolutional neural networks: A core-set
 * approach", ICLR 2018; its greedy form.
 */
public final class CoreSet implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<NoOptions> ENTRY =
      StrategyEntry.of(
              "coreset",
              "farthest embeddings",
              "O. Sener, S. Savarese, \"Active learning for convolutional neural networks: A"
                  + " core-set approach\", ICLR 2018",
              CoreSet::new)
          .withCriterion(Criterion.DIVERSITY);

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of();
  }

  @Override
  public boolean usesLabelled() {
    return true;
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    return choose(snapshot, budget, PickConstraint.NONE);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, ClassCap cap, RandomGenerator random) {
    return choose(snapshot, budget, cap);
  }

  private static Selection choose(Snapshot snapshot, int budget, PickConstraint constraint) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    EuclideanCover cover =
        new EuclideanCover(snapshot.unlabelled().toMatrix(), snapshot.labelled());
    recorder.phase("distances");
    KCenterGreedy.Picks picks = cover.pick(budget, constraint);
    int[] predicted = snapshot.predict(picks.indices());
    for (int p = 0; p < predicted.length; p++) {
      int item = picks.indices()[p];
      recorder.pick(pick(item, picks.dissimilarities()[p], predicted[p]));
    }
    return recorder.phase("pick").finish();
  }

  /** Returns the pick of an item, scored by its distance to labelled items and earlier picks. */
  public static Pick pick(int item, double squaredDistance, int predicted) {
    double distance = Math.sqrt(squaredDistance);
    String reason =
        Double.isInfinite(distance)
            ? "first pick: nothing is labelled yet"
            : String.format(
                Locale.ROOT,
                distance > 0
                    ? "far from all labelled items and earlier picks: distance %.3g to the nearest"
                    : "all remaining items are identical to labelled items or earlier picks",
                distance);
    return new Pick(item, distance, -1, predicted, reason);
  }
}
