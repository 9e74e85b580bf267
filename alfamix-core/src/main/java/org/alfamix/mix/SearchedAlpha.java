package org.alfamix.mix;

import java.util.SplittableRandom;
import org.alfamix.math.Adam;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Seeds;
import org.alfamix.model.Head;

/**
 * α from a random start, with or without steps of projected gradient from there. The start belongs
 * to item, anchor and cap alone: the search never finds fewer flips than its start does.
 *
 * @param steps 0 for the start alone
 */
record SearchedAlpha(long seed, int steps, double rate, double penalty) implements AlphaRule {

  @Override
  public void search(
      Head head, Block block, int k, float[] anchor, int round, double cap, Look look) {
    FloatMatrix items = block.items();
    int features = items.columns();
    int values = items.rows() * features;
    float most = (float) cap;
    float[] alpha = new float[values];
    float[] difference = new float[values];
    for (int i = 0; i < items.rows(); i++) {
      draw(Seeds.at(seed + round, block.first() + i, k), most, alpha, i * features, features);
      System.arraycopy(anchor, 0, difference, i * features, features);
      Kernels.axpy(-1, items.array(), items.rowOffset(i), difference, i * features, features);
    }
    FloatMatrix mixed = FloatMatrix.zeros(items.rows(), features);
    Ratios ratios = (row, out) -> System.arraycopy(alpha, row * features, out, 0, features);
    mix(items, alpha, difference, mixed);
    look.at(mixed, ratios);
    if (steps == 0) {
      return;
    }
    Adam adam = new Adam(values, rate, 0);
    float[] gradient = new float[values];
    for (int step = 0; step < steps; step++) {
      gradient(head, block, alpha, difference, mixed, gradient);
      adam.step(alpha, gradient);
      for (int at = 0; at < values; at++) {
        alpha[at] = Math.max(0, Math.min(most, alpha[at]));
      }
      mix(items, alpha, difference, mixed);
      look.at(mixed, ratios);
    }
  }

  private static void draw(
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

  /** Of −loss + penalty ‖α‖ by α. */
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
