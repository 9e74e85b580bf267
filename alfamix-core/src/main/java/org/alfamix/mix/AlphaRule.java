package org.alfamix.mix;

import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Head;

/**
 * How the ratios α of a mix z + α ⊙ (a − z) are found, one per feature. A rule tries one or several
 * mixes of some items with one anchor, and shows each to whoever looks whether a prediction
 * changed.
 */
interface AlphaRule {

  /**
   * Items that are mixed together.
   *
   * @param items one row each
   * @param first the number of the first in the pool
   * @param predicted their classes as they are
   * @param directions unit vectors along which the loss at that class grows
   */
  record Block(FloatMatrix items, int first, int[] predicted, FloatMatrix directions) {}

  /** Looks at mixes; {@code ratios} tells α where it is wanted. */
  @FunctionalInterface
  interface Look {
    void at(FloatMatrix mixed, Ratios ratios);
  }

  /** Writes the ratios α of one row. */
  @FunctionalInterface
  interface Ratios {
    void of(int row, float[] alpha);
  }

  /**
   * Tries mixes of a block with an anchor.
   *
   * @param k the number of the anchor
   * @param anchor its features; null where there is none and items are moved along the gradient
   * @param round which of the caps this is
   */
  void search(Head head, Block block, int k, float[] anchor, int round, double cap, Look look);

  /**
   * α in closed form: the step along the gradient that raises the loss most among those of length ε
   * ‖a − z‖, with ε = cap/√features.
   */
  static AlphaRule closedForm() {
    return new ClosedFormAlpha(null);
  }

  /** No anchors and no α: a step along the gradient. */
  static AlphaRule without(GradientStep step) {
    return new ClosedFormAlpha(step);
  }

  /**
   * α drawn from N(cap/2, cap/2), clipped to [0, cap]; scaled to its bound where that is not per
   * feature.
   */
  static AlphaRule random(long seed, AlphaBound bound) {
    return new SearchedAlpha(seed, bound, 0, 0, 0);
  }

  /**
   * α by projected gradient: from such a draw some steps of Adam on −loss + penalty · ‖α‖, brought
   * back within its bound after each. Every mix on the way is looked at, the first one, too.
   */
  static AlphaRule projectedGradient(
      long seed, AlphaBound bound, int steps, double rate, double penalty) {
    return new SearchedAlpha(seed, bound, steps, rate, penalty);
  }
}
