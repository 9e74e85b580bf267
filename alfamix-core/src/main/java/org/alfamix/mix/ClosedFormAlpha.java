package org.alfamix.mix;

import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Head;

/**
 * The closed form of α in the paper. Its division by (a − z) cancels in the mix: z moves by τ = ε
 * ‖a − z‖ along the unit gradient, except in features that it shares with the anchor.
 *
 * @param step the length of the step without anchors; null if there are anchors
 */
record ClosedFormAlpha(GradientStep step) implements AlphaRule {

  @Override
  public void search(
      Head head, Block block, int k, float[] anchor, int round, double cap, MixConsumer consumer) {
    FloatMatrix items = block.items();
    int features = items.columns();
    double epsilon = cap / Math.sqrt(features);
    FloatMatrix mixed = items.copy();
    float[] lengths = new float[items.rows()];
    float[] directions = block.directions().array();
    for (int i = 0; i < items.rows(); i++) {
      int z = items.rowOffset(i);
      float tau = (float) (epsilon * Math.sqrt(squaredUnit(items, i, anchor)));
      lengths[i] = tau;
      int out = mixed.rowOffset(i);
      int direction = block.directions().rowOffset(i);
      for (int d = 0; d < features; d++) {
        // Mixing two equal values has no effect.
        if (anchor == null || items.array()[z + d] != anchor[d]) {
          mixed.array()[out + d] += tau * directions[direction + d];
        }
      }
    }
    consumer.accept(
        mixed,
        (row, alpha) -> {
          int z = items.rowOffset(row);
          int direction = block.directions().rowOffset(row);
          for (int d = 0; d < features; d++) {
            float difference = anchor == null ? Float.NaN : anchor[d] - items.array()[z + d];
            alpha[d] = difference == 0 ? 0 : lengths[row] * directions[direction + d] / difference;
          }
        });
  }

  /** Returns the square of the length that ε is relative to. */
  private float squaredUnit(FloatMatrix items, int i, float[] anchor) {
    if (anchor != null) {
      return Kernels.squaredDistance(items.array(), items.rowOffset(i), anchor, 0, items.columns());
    }
    return step == GradientStep.FIXED ? 1 : Kernels.squaredNorm(items, i);
  }
}
