package org.alfamix.strategy;

import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.cluster.KMeansPlusPlus;
import org.alfamix.cluster.OuterProductPoints;
import org.alfamix.cluster.PickConstraint;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.model.Snapshot;

/**
 * BADGE: selects items by k-means++ on the gradients of the last layer for the predicted class, so
 * that picks are uncertain (large gradients) and diverse (different gradients). The score is the
 * squared distance to the nearest earlier pick, or the squared norm for the first pick.
 *
 * <p>J. Ash, C. Zhang, A. Krishnamurthy, J. Langford and A. Agarwal, "Deep batch active learning by
 * diverse, uncertain gradient lower bounds", ICLR 2020.
 *
 * <p>The gradient of item i is the outer product (e_y − p) ⊗ z. It is never materialized; see
 * {@link OuterProductPoints}.
 */
public final class Badge implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<NoOptions> ENTRY =
      StrategyEntry.of(
              "badge",
              "large and diverse gradients",
              "J. Ash, C. Zhang, A. Krishnamurthy, J. Langford, A. Agarwal, \"Deep batch active"
                  + " learning by diverse, uncertain gradient lower bounds\", ICLR 2020",
              Badge::new)
          .withCriterion(Criterion.UNCERTAINTY);

  private static final int BLOCK = 512;

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.PROBABILITIES);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    return choose(snapshot, budget, PickConstraint.NONE, random);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, ClassCap cap, RandomGenerator random) {
    return choose(snapshot, budget, (PickConstraint) cap, random);
  }

  private static Selection choose(
      Snapshot snapshot, int budget, PickConstraint constraint, RandomGenerator random) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    OuterProductPoints gradients = gradients(snapshot);
    recorder.phase("gradients");
    int first = 0;
    for (int i = 1; i < gradients.size(); i++) {
      if (gradients.squaredNorm(i) > gradients.squaredNorm(first)) {
        first = i;
      }
    }
    KMeansPlusPlus.Picks picks = KMeansPlusPlus.pick(gradients, budget, first, constraint, random);
    int[] predicted = snapshot.predict(picks.indices());
    for (int p = 0; p < predicted.length; p++) {
      int item = picks.indices()[p];
      double score = picks.squaredDistances()[p];
      recorder.pick(pick(item, score, gradients.squaredNorm(item), predicted[p]));
    }
    return recorder.phase("pick").finish();
  }

  /** Returns the pick of an item, scored by its squared distance to earlier picks. */
  public static Pick pick(int item, double score, double squaredNorm, int predicted) {
    String reason =
        String.format(
            Locale.ROOT,
            "the gradient of the last layer has a norm of %.3g and differs from those of earlier"
                + " picks",
            Math.sqrt(squaredNorm));
    return new Pick(item, score, -1, predicted, reason);
  }

  /** Computes the gradients of all items of a snapshot that has class probabilities. */
  public static OuterProductPoints gradients(Snapshot snapshot) {
    FloatMatrix residuals = FloatMatrix.zeros(snapshot.size(), snapshot.classes());
    Parallel.forBlocks(
        snapshot.size(),
        BLOCK,
        (from, to) -> {
          FloatMatrix p = snapshot.probabilities(from, to);
          for (int i = from; i < to; i++) {
            int row = residuals.rowOffset(i);
            Kernels.axpy(-1, p.array(), p.rowOffset(i - from), residuals.array(), row, p.columns());
            int y = Kernels.argmax(p.array(), p.rowOffset(i - from), p.columns());
            residuals.array()[row + y] += 1;
          }
        });
    return new OuterProductPoints(residuals, snapshot.unlabelled().toMatrix());
  }
}
