package org.alfamix.mix;

/**
 * A mix of an item with an anchor that changes its prediction, and the ratios α of that mix. Of
 * several such mixes it is the one with the smallest ‖α‖.
 *
 * @param cap the cap of the mix
 * @param anchor the class of the anchor; −1 if the item moved along its gradient instead
 * @param flipsTo the class that is predicted for the mix
 * @param norm Euclidean norm of α; NaN without anchors
 * @param mean mean of α over the features
 * @param deviation standard deviation of α over the features
 * @param divergence symmetric KL divergence between the class probabilities of the item and of a
 *     mix that changes its prediction: the largest of all such mixes; NaN unless requested
 */
public record Mix(
    double cap,
    int anchor,
    int flipsTo,
    double norm,
    double mean,
    double deviation,
    double divergence) {

  /** Returns a mix from the sum and the sum of squares of its ratios α over the features. */
  static Mix of(double cap, int anchor, int flipsTo, double sum, double squares, int features) {
    double variance = (squares - sum * sum / features) / Math.max(1, features - 1);
    return new Mix(
        cap,
        anchor,
        flipsTo,
        Math.sqrt(squares),
        sum / features,
        Math.sqrt(Math.max(0, variance)),
        Double.NaN);
  }

  Mix withDivergence(double largest) {
    return new Mix(cap, anchor, flipsTo, norm, mean, deviation, largest);
  }

  /** Returns the mix with the smaller ‖α‖, with the larger divergence of the two. */
  static Mix merge(Mix known, Mix other) {
    if (known == null || other == null) {
      return known == null ? other : known;
    }
    double divergence = Math.max(known.divergence, other.divergence);
    return (other.norm < known.norm ? other : known).withDivergence(divergence);
  }
}
