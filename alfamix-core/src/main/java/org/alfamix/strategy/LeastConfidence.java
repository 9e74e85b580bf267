package org.alfamix.strategy;

import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Snapshot;

/**
 * Selects items whose most likely class has the lowest probability. The score is one minus that
 * probability.
 *
 * <p>D. Lewis and W. Gale, "A sequential algorithm for training text classifiers", SIGIR 1994.
 */
public final class LeastConfidence implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<NoOptions> ENTRY =
      StrategyEntry.of(
              "least-confidence",
              "lowest probability of the most likely class",
              "D. Lewis, W. Gale, \"A sequential algorithm for training text classifiers\", SIGIR"
                  + " 1994",
              LeastConfidence::new)
          .withCriterion(Criterion.UNCERTAINTY);

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.PROBABILITIES);
  }

  @Override
  public boolean ranks() {
    return true;
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    return ProbabilityScores.select(
        snapshot,
        budget,
        LeastConfidence::uncertainties,
        1,
        (score, first, second) ->
            String.format(
                Locale.ROOT,
                "the most likely class, %s, has a probability of only %.0f %%",
                first.name(),
                first.percent()));
  }

  private static void uncertainties(FloatMatrix p, double[] out, int offset) {
    for (int i = 0; i < p.rows(); i++) {
      int row = p.rowOffset(i);
      out[offset + i] = 1 - p.array()[row + Kernels.argmax(p.array(), row, p.columns())];
    }
  }
}
