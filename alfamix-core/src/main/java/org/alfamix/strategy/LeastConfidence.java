package org.alfamix.strategy;

import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Snapshot;

/**
 * Items whose most likely class is least likely. The score is one minus its probability.
 *
 * <p>D. Lewis and W. Gale, "A sequential algorithm for training text classifiers", SIGIR 1994.
 */
public final class LeastConfidence implements QueryStrategy {
  /** What the registry knows of it. */
  public static final StrategyEntry<NoOptions> ENTRY =
      StrategyEntry.of(
          "least-confidence",
          "least likely best class",
          "D. Lewis, W. Gale, \"A sequential algorithm for training text classifiers\", SIGIR 1994",
          LeastConfidence::new);

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
        LeastConfidence::doubts,
        1,
        (score, first, second) ->
            String.format(
                Locale.ROOT,
                "%s is the most likely class, with %.0f %%",
                first.name(),
                first.percent()));
  }

  private static void doubts(FloatMatrix p, double[] out, int offset) {
    for (int i = 0; i < p.rows(); i++) {
      int row = p.rowOffset(i);
      out[offset + i] = 1 - p.array()[row + Kernels.argmax(p.array(), row, p.columns())];
    }
  }
}
