package org.alfamix.strategy;

import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Snapshot;

/**
 * Items whose two most likely classes are nearly equally likely. The score is the difference of the
 * two probabilities; small comes first.
 *
 * <p>D. Roth and K. Small, "Margin-based active learning for structured output spaces", ECML 2006.
 */
public final class Margin implements QueryStrategy {
  static final String CITATION =
      "D. Roth, K. Small, \"Margin-based active learning for structured output spaces\", ECML 2006";

  @Override
  public String name() {
    return "margin";
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.PROBABILITIES);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    double[] scores = ProbabilityScores.of(snapshot, Margin::margins);
    recorder.phase("score");
    for (int item : ProbabilityScores.smallest(scores, budget)) {
      FloatMatrix p = snapshot.probabilities(item, item + 1);
      int[] top = ProbabilityScores.topTwo(p.array(), p.rowOffset(0), p.columns());
      String reason =
          String.format(
              Locale.ROOT,
              "%s (%.0f %%) and %s (%.0f %%) are nearly equally likely",
              snapshot.className(top[0]),
              100 * p.get(0, top[0]),
              snapshot.className(top[1]),
              100 * p.get(0, top[1]));
      recorder.pick(new Pick(item, scores[item], -1, top[0], reason));
    }
    return recorder.phase("rank").finish();
  }

  /** With a single class there is nothing to confuse it with: the margin is its probability. */
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
