package org.alfamix.mix;

import java.util.SplittableRandom;
import org.alfamix.internal.Adam;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Seeds;
import org.alfamix.model.Head;

/**
 * Random α, optionally improved by steps of projected gradient. For a given seed, the random start
 * depends only on the item, the anchor and the cap, so the search never finds fewer flips than
 * random ratios do.
 *
 * @param steps number of steps; 0 for random ratios only
 */
record SearchedAlpha(long seed, AlphaBound bound, int steps, double rate, double penalty)
    implements AlphaRule {

  @Override
  public void search(
      Head head, Block block, int k, float[] anchor, int round, double cap, MixConsumer consumer) {
    FloatMatrix items = block.items();
    int features = items.columns();
    int values = items.rows() * features;
    float maxRatio = (float) cap;
    float[] alpha = new float[values];
    float[] difference = new float[values];
    for (int i = 0; i < items.rows(); i++) {
      sample(Seeds.at(seed + round, block.first() + i, k), maxRatio, alpha, i * features, features);
      System.arraycopy(anchor, 0, difference, i * features, features);
      Kernels.axpy(-1, items.array(), items.rowOffset(i), difference, i * features, features);
    }
    float[] maxLengths = maxLengths(block, difference, cap);
    float[] weights = bound == AlphaBound.STEP ? difference : null;
    if (maxLengths != null) {
      scaleRows(alpha, weights, maxLengths, false);
    }
    FloatMatrix mixed = FloatMatrix.zeros(items.rows(), features);
    Ratios ratios = (row, out) -> System.arraycopy(alpha, row * features, out, 0, features);
    mix(items, alpha, difference, mixed);
    consumer.accept(mixed, ratios);
    if (steps == 0) {
      return;
    }
    Adam adam = new Adam(values, rate, 0);
    float[] gradient = new float[values];
    for (int step = 0; step < steps; step++) {
      gradient(head, block, alpha, difference, mixed, gradient);
      adam.step(alpha, gradient);
      float largest = maxLengths == null ? maxRatio : Float.POSITIVE_INFINITY;
      for (int at = 0; at < values; at++) {
        alpha[at] = Math.max(0, Math.min(largest, alpha[at]));
      }
      if (maxLengths != null) {
        scaleRows(alpha, weights, maxLengths, true);
      }
      mix(items, alpha, difference, mixed);
      consumer.accept(mixed, ratios);
    }
  }

  /** Returns the bound of each row, from the closed form; null if the bound is per feature. */
  private float[] maxLengths(Block block, float[] difference, double cap) {
    if (bound == AlphaBound.PER_FEATURE) {
      return null;
    }
    int features = block.items().columns();
    float[] result = new float[block.items().rows()];
    for (int i = 0; i < result.length; i++) {
      int from = i * features;
      double distance = Math.sqrt(Kernels.dot(difference, from, difference, from, features));
      double step = cap / Math.sqrt(features) * distance;
      result[i] = (float) (bound == AlphaBound.STEP ? step : step * norm(block, i, difference));
    }
    return result;
  }

  /** Returns ‖ĝ ⊘ (a − z)‖ without the features that item and anchor share, which cannot move. */
  private static double norm(Block block, int i, float[] difference) {
    int features = block.items().columns();
    int direction = block.directions().rowOffset(i);
    double squares = 0;
    for (int d = 0; d < features; d++) {
      double moved = difference[i * features + d];
      double ratio = moved == 0 ? 0 : block.directions().array()[direction + d] / moved;
      squares += ratio * ratio;
    }
    return Math.sqrt(squares);
  }

  /**
   * Scales each row to a length; with {@code onlyShorten}, shorter rows do not change.
   *
   * @param weights factors of the values in the length of a row; null for 1
   */
  private static void scaleRows(
      float[] alpha, float[] weights, float[] lengths, boolean onlyShorten) {
    int features = alpha.length / lengths.length;
    for (int i = 0; i < lengths.length; i++) {
      double squares = 0;
      for (int d = i * features; d < (i + 1) * features; d++) {
        double value = weights == null ? alpha[d] : (double) alpha[d] * weights[d];
        squares += value * value;
      }
      double norm = Math.sqrt(squares);
      if (norm > 0 && !(onlyShorten && norm <= lengths[i])) {
        float factor = (float) (lengths[i] / norm);
        for (int d = i * features; d < (i + 1) * features; d++) {
          alpha[d] *= factor;
        }
      }
    }
  }

  private static void sample(
      SplittableRandom random, float cap, float[] alpha, int offset, int features) {
    for (int d = offset; d < offset + features; d++) {
      float value = (float) (cap / 2 * (1 + random.nextGaussian()));
      alpha[d] = Math.max(0, Math.min(cap, value));
    }
  }

  private static void mix(FloatMatrix items, float[] alpha, float[] difference, FloatMatrix mixed) {
    float[] z = items.array();
    float[] out = mixed.array();
    int first = items.rowOffset(0);
    for (int at = 0; at < out.length; at++) {
      out[at] = z[first + at] + alpha[at] * difference[at];
    }
  }

  /** Computes the gradient of −loss + penalty ‖α‖ with respect to α. */
  private void gradient(
      Head head,
      Block block,
      float[] alpha,
      float[] difference,
      FloatMatrix mixed,
      float[] gradient) {
    FloatMatrix byMix = head.lossGradient(mixed, block.predicted());
    float[] loss = byMix.array();
    int features = mixed.columns();
    for (int i = 0; i < mixed.rows(); i++) {
      int from = i * features;
      double norm = Math.sqrt(Kernels.dot(alpha, from, alpha, from, features));
      float factor = norm > 0 ? (float) (penalty / norm) : 0;
      int row = byMix.rowOffset(i);
      for (int d = 0; d < features; d++) {
        gradient[from + d] = factor * alpha[from + d] - loss[row + d] * difference[from + d];
      }
    }
  }
}
