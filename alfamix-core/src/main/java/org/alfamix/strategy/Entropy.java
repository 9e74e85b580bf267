package org.alfamix.strategy;

import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Snapshot;

/**
 * Items whose class probabilities are spread most evenly. The score is the entropy in nats.
 *
 * <p>D. Wang and Y. Shang, "A new active labeling method for deep learning", IJCNN 2014.
 */
public final class Entropy implements QueryStrategy {
  static final String CITATION =
      "D. Wang, Y. Shang, \"A new active labeling method for deep learning\", IJCNN 2014";

  @Override
  public String name() {
    return "entropy";
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.PROBABILITIES);
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    double[] scores = ProbabilityScores.of(snapshot, Kernels::entropyRows);
    recorder.phase("score");
    for (int item : ProbabilityScores.largest(scores, budget)) {
      FloatMatrix p = snapshot.probabilities(item, item + 1);
      int[] top = ProbabilityScores.topTwo(p.array(), p.rowOffset(0), p.columns());
      String reason =
          String.format(
              Locale.ROOT,
              "entropy %.2f of at most %.2f: undecided, %s or %s at best",
              scores[item],
              Math.log(snapshot.classes()),
              snapshot.className(top[0]),
              snapshot.className(top[1]));
      recorder.pick(new Pick(item, scores[item], -1, top[0], reason));
    }
    return recorder.phase("rank").finish();
  }
}
