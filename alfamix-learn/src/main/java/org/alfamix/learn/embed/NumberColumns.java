package org.alfamix.learn.embed;

import org.alfamix.datasets.Inputs;
import org.alfamix.math.FloatMatrix;

/**
 * The numbers that belong to texts, as further features. They are standardized by the pool, and
 * scaled so that all of them together have a mean squared length of 1, as the features of a text.
 */
final class NumberColumns {
  private final double[] means;
  private final double[] scales;

  private NumberColumns(double[] means, double[] scales) {
    this.means = means;
    this.scales = scales;
  }

  static NumberColumns fit(Inputs pool) {
    int width = pool.size() == 0 ? 0 : pool.numbers(0).length;
    double[] sums = new double[width];
    double[] squares = new double[width];
    for (int i = 0; width > 0 && i < pool.size(); i++) {
      float[] numbers = pool.numbers(i);
      for (int d = 0; d < width; d++) {
        sums[d] += numbers[d];
      }
    }
    double[] means = new double[width];
    for (int d = 0; d < width; d++) {
      means[d] = sums[d] / pool.size();
    }
    for (int i = 0; width > 0 && i < pool.size(); i++) {
      float[] numbers = pool.numbers(i);
      for (int d = 0; d < width; d++) {
        squares[d] += (numbers[d] - means[d]) * (numbers[d] - means[d]);
      }
    }
    double[] scales = new double[width];
    for (int d = 0; d < width; d++) {
      double variance = squares[d] / pool.size();
      scales[d] = variance == 0 ? 0 : 1 / Math.sqrt(variance * width);
    }
    return new NumberColumns(means, scales);
  }

  FloatMatrix appendTo(FloatMatrix features, Inputs texts) {
    if (means.length == 0) {
      return features;
    }
    int width = features.columns();
    FloatMatrix all = FloatMatrix.zeros(features.rows(), width + means.length);
    for (int i = 0; i < features.rows(); i++) {
      System.arraycopy(
          features.array(), features.rowOffset(i), all.array(), all.rowOffset(i), width);
      float[] numbers = texts.numbers(i);
      for (int d = 0; d < means.length; d++) {
        all.set(i, width + d, (float) ((numbers[d] - means[d]) * scales[d]));
      }
    }
    return all;
  }
}
