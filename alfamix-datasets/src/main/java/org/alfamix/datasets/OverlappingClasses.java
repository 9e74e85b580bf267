package org.alfamix.datasets;

import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Generates any number of synthetic embeddings: overlapping classes after a ReLU. With a head
 * fitted to some of them, 6 to 10 % of the items flip at the first cap, as on MNIST.
 */
public final class OverlappingClasses implements Serializable {
  private static final long serialVersionUID = 1;

  private final float[][] means;

  public OverlappingClasses(int features, int classes) {
    double spread = (4 + 2 * Math.log10(classes)) / Math.sqrt(features);
    SplittableRandom random = new SplittableRandom(7);
    means = new float[classes][features];
    for (int d = 0; d < features; d++) {
      double common = 0.3 + random.nextGaussian();
      for (int k = 0; k < classes; k++) {
        means[k][d] = (float) (common + spread * random.nextGaussian());
      }
    }
  }

  public int features() {
    return means[0].length;
  }

  /** Writes a random item to an array, starting at {@code offset}, and returns its class. */
  public int draw(RandomGenerator random, float[] out, int offset) {
    int label = random.nextInt(means.length);
    for (int d = 0; d < features(); d++) {
      out[offset + d] = (float) Math.max(0, means[label][d] + random.nextGaussian());
    }
    return label;
  }
}
