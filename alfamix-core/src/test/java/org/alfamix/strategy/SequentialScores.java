package org.alfamix.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Snapshot;

/** Reference scores of strategies whose picks depend on earlier picks, in double precision. */
final class SequentialScores {
  private SequentialScores() {}

  @FunctionalInterface
  private interface Distance {
    double between(double[] a, double[] b);
  }

  /** Asserts that scores are the distances to the nearest labelled item or earlier pick. */
  static void assertCoreSetScores(Snapshot snapshot, List<Pick> picks) {
    assertNearest(
        doubles(snapshot.unlabelled().toMatrix()),
        doubles(snapshot.labelled()),
        picks,
        (a, b) -> Math.sqrt(squaredDistance(a, b)));
  }

  /** Asserts that scores are the divergences from the nearest labelled item or earlier pick. */
  static void assertCdalScores(Snapshot snapshot, List<Pick> picks) {
    double[][] pool = doubles(snapshot.probabilities(0, snapshot.size()));
    double[][] labelled = doubles(snapshot.labelledProbabilities().orElseThrow().toMatrix());
    assertNearest(pool, labelled, picks, SequentialScores::divergence);
  }

  /**
   * Asserts that scores are squared distances between gradients; the first score is a squared norm.
   */
  static void assertBadgeScores(Snapshot snapshot, List<Pick> picks) {
    double[][] embeddings = doubles(snapshot.unlabelled().toMatrix());
    double[][] probabilities = doubles(snapshot.probabilities(0, snapshot.size()));
    double[][] gradients = new double[embeddings.length][];
    for (int i = 0; i < gradients.length; i++) {
      double[] p = probabilities[i];
      int best = 0;
      for (int k = 0; k < p.length; k++) {
        best = p[k] > p[best] ? k : best;
      }
      gradients[i] = new double[p.length * embeddings[i].length];
      for (int k = 0; k < p.length; k++) {
        for (int d = 0; d < embeddings[i].length; d++) {
          gradients[i][k * embeddings[i].length + d] =
              ((k == best ? 1 : 0) - p[k]) * embeddings[i][d];
        }
      }
    }
    double[][] none = {new double[gradients[0].length]};
    Pick first = picks.get(0);
    assertClose(squaredDistance(gradients[first.item()], none[0]), first.score(), "first");
    for (int p = 1; p < picks.size(); p++) {
      double nearest = Double.POSITIVE_INFINITY;
      for (int q = 0; q < p; q++) {
        double distance =
            squaredDistance(gradients[picks.get(p).item()], gradients[picks.get(q).item()]);
        nearest = Math.min(nearest, distance);
      }
      assertClose(nearest, picks.get(p).score(), "pick " + p);
    }
  }

  private static void assertNearest(
      double[][] pool, double[][] labelled, List<Pick> picks, Distance distance) {
    for (int p = 0; p < picks.size(); p++) {
      double nearest = Double.POSITIVE_INFINITY;
      for (double[] centre : labelled) {
        nearest = Math.min(nearest, distance.between(pool[picks.get(p).item()], centre));
      }
      for (int q = 0; q < p; q++) {
        nearest =
            Math.min(
                nearest, distance.between(pool[picks.get(p).item()], pool[picks.get(q).item()]));
      }
      assertClose(nearest, picks.get(p).score(), "pick " + p);
    }
  }

  private static void assertClose(double expected, double found, String message) {
    assertEquals(expected, found, 1e-3 * expected + 1e-9, message);
  }

  private static double divergence(double[] a, double[] b) {
    double[] p = softmax(a);
    double[] q = softmax(b);
    double sum = 0;
    for (int k = 0; k < p.length; k++) {
      sum += 0.5 * (p[k] - q[k]) * (Math.log(p[k]) - Math.log(q[k]));
    }
    return sum;
  }

  private static double[] softmax(double[] x) {
    double[] result = new double[x.length];
    double sum = 0;
    for (int k = 0; k < x.length; k++) {
      result[k] = Math.exp(x[k]);
      sum += result[k];
    }
    for (int k = 0; k < x.length; k++) {
      result[k] /= sum;
    }
    return result;
  }

  private static double squaredDistance(double[] a, double[] b) {
    double sum = 0;
    for (int d = 0; d < a.length; d++) {
      sum += (a[d] - b[d]) * (a[d] - b[d]);
    }
    return sum;
  }

  private static double[][] doubles(FloatMatrix matrix) {
    double[][] result = new double[matrix.rows()][matrix.columns()];
    for (int i = 0; i < matrix.rows(); i++) {
      for (int d = 0; d < matrix.columns(); d++) {
        result[i][d] = matrix.get(i, d);
      }
    }
    return result;
  }
}
