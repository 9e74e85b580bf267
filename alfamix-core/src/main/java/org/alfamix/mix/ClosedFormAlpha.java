package org.alfamix.mix;

import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Head;

/**
 * The paper's α, whose division by (a − z) cancels in the mix: z moves by τ = ε ‖a − z‖ along the
 * unit gradient, except in features that it shares with the anchor.
 */
final class ClosedFormAlpha implements AlphaRule {

  @Override
  public void search(
      Head head, Block block, int k, float[] anchor, int round, double cap, Look look) {
    FloatMatrix items = block.items();
    int features = items.columns();
    double epsilon = cap / Math.sqrt(features);
    FloatMatrix mixed = items.copy();
    float[] lengths = new float[items.rows()];
    float[] directions = block.directions().array();
    for (int i = 0; i < items.rows(); i++) {
      int z = items.rowOffset(i);
      float squared =
          anchor == null
              ? Kernels.squaredNorm(items, i)
              : Kernels.squaredDistance(items.array(), z, anchor, 0, features);
      float tau = (float) (epsilon * Math.sqrt(squared));
      lengths[i] = tau;
      int out = mixed.rowOffset(i);
      int direction = block.directions().rowOffset(i);
      for (int d = 0; d < features; d++) {
        // Mixing two equal values moves nothing.
        if (anchor == null || items.array()[z + d] != anchor[d]) {
          mixed.array()[out + d] += tau * directions[direction + d];
        }
      }
    }
    look.at(
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
}
