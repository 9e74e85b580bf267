package org.alfamix.strategy;

import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Snapshot;

/**
 * Selects items whose two most likely classes have similar probabilities. The score is the
 * difference of the two probabilities, smallest first.
 *
 * <p>D. Roth and K. Small, "Margin-based active learning for structured output spaces", ECML 2006.
 */
public final class Margin implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<NoOptions> ENTRY =
      StrategyEntry.of(
              "margin",
              "smallest margin between the two most likely classes",
              "D. Roth, K. Small, \"Margin-based active learning for structured output spaces\","
                  + " ECML 2006",
              Margin::new)
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
        Margin::margins,
        -1,
        (score, first, second) ->
            String.format(
                Locale.ROOT,
                "%s (%.0f %%) or %s (%.0f %%): margin %.2g",
                first.name(),
                first.percent(),
                second.name(),
                second.percent(),
                score));
  }

  /** Computes the margins. With a single class, the margin is its probability. */
  private static void margins(FloatMatrix p, double[] out, int offset) {
    for (int i = 0; i < p.rows(); i++) {
      int row = p.rowOffset(i);
      float first = Float.NEGATIVE_INFINITY;
      float second = Float.NEGATIVE_INFINITY;
      for (int k = row; k < row + p.columns(); k++) {
        float value = p.array()[k];
        second = Math.max(second, Math.min(first, value));
        first = Math.max(first, value);
      }
      out[offset + i] = p.columns() == 1 ? first : first - second;
    }
  }
}
