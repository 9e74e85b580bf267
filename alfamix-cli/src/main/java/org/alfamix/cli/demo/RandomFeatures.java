package org.alfamix.cli.demo;

import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;

/**
 * A network whose first layer is drawn once and never trained: z = max(0, R x + c). With a fitted
 * head on top it stands in for a small MLP where no framework is at hand.
 *
 * <p>A. Rahimi and B. Recht, "Weighted sums of random kitchen sinks", NIPS 2008.
 */
final class RandomFeatures {
  private RandomFeatures() {}

  /**
   * @param scale the steepness of the features, after each column was divided by the largest value
   * @return one row of {@code count} features per row of {@code items}
   */
  static FloatMatrix of(FloatMatrix items, int count, double scale, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float largest = 0;
    for (float value : items.array()) {
      largest = Math.max(largest, Math.abs(value));
    }
    double deviation = scale / Math.sqrt(items.columns()) / Math.max(largest, Float.MIN_NORMAL);
    FloatMatrix directions = FloatMatrix.zeros(count, items.columns());
    float[] offsets = new float[count];
    for (int j = 0; j < count; j++) {
      // Each hinge passes through a random item, so that it divides the data somewhere.
      int item = random.nextInt(items.rows());
      double offset = 0;
      for (int d = 0; d < items.columns(); d++) {
        double weight = deviation * random.nextGaussian();
        directions.set(j, d, (float) weight);
        offset -= weight * items.get(item, d);
      }
      offsets[j] = (float) offset;
    }
    FloatMatrix features = new LinearHead(directions, offsets).logits(items);
    float[] values = features.array();
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.max(0, values[i]);
    }
    return features;
  }
}
