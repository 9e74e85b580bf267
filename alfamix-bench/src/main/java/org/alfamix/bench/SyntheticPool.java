package org.alfamix.bench;

import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.mix.Anchors;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/**
 * Overlapping classes after a ReLU under a head that looks fitted; six to ten per cent of the items
 * flip at the first cap, as on MNIST. Any prefix of a pool is the pool of that size.
 */
final class SyntheticPool {
  private SyntheticPool() {}

  static Snapshot of(int size, int features, int classes) {
    double spread = (4 + 2 * Math.log10(classes)) / Math.sqrt(features);
    SplittableRandom random = new SplittableRandom(7);
    float[][] means = new float[classes][features];
    for (int d = 0; d < features; d++) {
      double common = 0.3 + random.nextGaussian();
      for (int k = 0; k < classes; k++) {
        means[k][d] = (float) (common + spread * random.nextGaussian());
      }
    }
    int labelledSize = Math.max(100, 10 * classes);
    int[] labels = new int[labelledSize];
    FloatMatrix labelled = draw(means, labelledSize, 1, labels);
    FloatMatrix anchors = Anchors.classMeans(labelled, labels, classes);
    return Snapshot.of(draw(means, size, 2, new int[size]))
        .labelled(labelled, labels)
        .head(head(anchors))
        .build();
  }

  private static FloatMatrix draw(float[][] means, int size, long stream, int[] labels) {
    int features = means[0].length;
    FloatMatrix rows = FloatMatrix.zeros(size, features);
    Parallel.forBlocks(
        size,
        1024,
        (from, to) -> {
          SplittableRandom random = new SplittableRandom(stream * 1_000_003 + from);
          for (int i = from; i < to; i++) {
            labels[i] = random.nextInt(means.length);
            for (int d = 0; d < features; d++) {
              double value = means[labels[i]][d] + random.nextGaussian();
              rows.set(i, d, (float) Math.max(0, value));
            }
          }
        });
    return rows;
  }

  /** Nearest centred class mean as a linear head, with logits of a trained network's size. */
  private static LinearHead head(FloatMatrix centres) {
    int classes = centres.rows();
    int features = centres.columns();
    double[] mean = new double[features];
    for (int k = 0; k < classes; k++) {
      for (int d = 0; d < features; d++) {
        mean[d] += centres.get(k, d) / classes;
      }
    }
    double[] norms = new double[classes];
    double total = 0;
    for (int k = 0; k < classes; k++) {
      for (int d = 0; d < features; d++) {
        norms[k] += Math.pow(centres.get(k, d) - mean[d], 2);
      }
      total += norms[k] / classes;
    }
    FloatMatrix weights = FloatMatrix.zeros(classes, features);
    float[] bias = new float[classes];
    for (int k = 0; k < classes; k++) {
      double factor = 4 / Math.sqrt(norms[k] * total);
      double offset = 0;
      for (int d = 0; d < features; d++) {
        double weight = factor * (centres.get(k, d) - mean[d]);
        weights.set(k, d, (float) weight);
        offset -= weight * (centres.get(k, d) + mean[d]) / 2;
      }
      bias[k] = (float) offset;
    }
    return new LinearHead(weights, bias);
  }
}
