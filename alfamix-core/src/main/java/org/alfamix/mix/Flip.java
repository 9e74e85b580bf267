package org.alfamix.mix;

/**
 * A change of the prediction of an item when its features are mixed with those of an anchor.
 *
 * @param cap the smallest cap (ε · √D) at which the prediction changes, or the cap at which the
 *     change was observed
 * @param predicted the predicted class of the item before mixing
 * @param anchor the class of the anchor; −1 if the item moves along its gradient
 * @param flipsTo the class that is predicted after mixing
 */
public record Flip(double cap, int predicted, int anchor, int flipsTo) {

  /**
   * Returns how far the item moves with ratios in closed form, as a share of its distance to the
   * anchor. Without anchors it is a length or a share of the norm of the item, depending on the
   * {@link GradientStep}.
   */
  public double share(int features) {
    return cap / Math.sqrt(features);
  }
}
