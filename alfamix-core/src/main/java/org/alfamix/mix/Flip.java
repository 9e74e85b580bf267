package org.alfamix.mix;

/**
 * How the prediction of an item is lost when its features are mixed with those of an anchor.
 *
 * @param cap the smallest cap (ε · √D) at which it happens, or the one at which it was seen to
 *     happen
 * @param predicted the class that the head predicts for the item as it is
 * @param anchor the class whose anchor does it; −1 where the item only moves along its gradient
 * @param becomes the class that is predicted instead
 */
public record Flip(double cap, int predicted, int anchor, int becomes) {

  /**
   * How far the item moves where ratios are in closed form, as a share of its distance to the
   * anchor; without anchors as a length, or as a share of its own length, by the {@link
   * GradientStep}.
   */
  public double share(int features) {
    return cap / Math.sqrt(features);
  }
}
