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
  static final String CITATION =
      "D. Lewis, W. Gale, \"A sequential algorithm for training text classifiers\", SIGIR 1994";

  @Override
  public String name() {
    return "least-confidence";
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.PROBABILITIES);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    double[] scores = ProbabilityScores.of(snapshot, LeastConfidence::doubts);
    recorder.phase("score");
    for (int item : ProbabilityScores.largest(scores, budget)) {
      FloatMatrix p = snapshot.probabilities(item, item + 1);
      int predicted = Kernels.argmax(p.array(), p.rowOffset(0), p.columns());
      String reason =
          String.format(
              Locale.ROOT,
              "most likely %s, but with %.0f %% only",
              snapshot.className(predicted),
              100 * (1 - scores[item]));
      recorder.pick(new Pick(item, scores[item], -1, predicted, reason));
    }
    return recorder.phase("rank").finish();
  }

  private static void doubts(FloatMatrix p, double[] out, int offset) {
    for (int i = 0; i < p.rows(); i++) {
      int row = p.rowOffset(i);
      out[offset + i] = 1 - p.array()[row + Kernels.argmax(p.array(), row, p.columns())];
    }
  }
}
