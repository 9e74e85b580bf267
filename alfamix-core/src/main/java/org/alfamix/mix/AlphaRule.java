package org.alfamix.mix;

import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Head;

/**
 * A rule for the ratios α of a mix z + α ⊙ (a − z), one per feature. A rule tries one or more mixes
 * of a block of items with one anchor and passes each to a consumer that checks whether predictions
 * change.
 */
interface AlphaRule {

  /**
   * A block of items that are mixed together.
   *
   * @param items one row each
   * @param first row of the first item in the pool
   * @param predicted their predicted classes before mixing
   * @param directions unit vectors along which the loss at the predicted class increases
   */
  record Block(FloatMatrix items, int first, int[] predicted, FloatMatrix directions) {}

  /** Receives mixes; {@code ratios} provides α on request. */
  @FunctionalInterface
  interface MixConsumer {
    void accept(FloatMatrix mixed, Ratios ratios);
  }

  /** Writes the ratios α of one row. */
  @FunctionalInterface
  interface Ratios {
    void writeTo(int row, float[] alpha);
  }

  /**
   * Tries mixes of a block with an anchor.
   *
   * @param k index of the anchor
   * @param anchor its features; null if there is no anchor and items move along the gradient
   * @param round index of the cap
   */
  void search(
      Head head, Block block, int k, float[] anchor, int round, double cap, MixConsumer consumer);

  /**
   * Returns the rule of α in closed form: the step along the gradient that increases the loss most
   * among all steps of length ε ‖a − z‖, with ε = cap/√features.
   */
  static AlphaRule closedForm() {
    return new ClosedFormAlpha(null);
  }

  /** Returns the rule without anchors and α: a step along the gradient. */
  static AlphaRule adversarial(GradientStep step) {
    return new ClosedFormAlpha(step);
  }

  /**
   * Returns the rule of α sampled from N(cap/2, cap/2) and clipped to [0, cap]; scaled to its bound
   * unless the bound is per feature.
   */
  static AlphaRule random(long seed, AlphaBound bound) {
    return new SearchedAlpha(seed, bound, 0, 0, 0);
  }

  /**
   * Returns the rule of α by projected gradient: steps of Adam on −loss + penalty · ‖α‖ from a
   * random start, projected onto the bound after each step. Every mix on the way is passed to the
   * consumer, including the start.
   */
  static AlphaRule projectedGradient(
      long seed, AlphaBound bound, int steps, double rate, double penalty) {
    return new SearchedAlpha(seed, bound, steps, rate, penalty);
  }
}
