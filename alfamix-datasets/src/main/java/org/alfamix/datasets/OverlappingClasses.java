package org.alfamix.datasets;

import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Embeddings to try things out on, as many as one likes: overlapping classes after a ReLU. Under a
 * head that was fitted to some of them six to ten per cent flip at the first cap, as on MNIST.
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

  /** Draws an item into an array, from {@code offset} on; returns its class. */
  public int draw(RandomGenerator random, float[] out, int offset) {
    int label = random.nextInt(means.length);
    for (int d = 0; d < features(); d++) {
      out[offset + d] = (float) Math.max(0, means[label][d] + random.nextGaussian());
    }
    return label;
  }
}
