package org.alfamix.mix;

/**
 * A mix of an item with an anchor that changes its prediction, and the ratios α of that mix. Of
 * several it is the one of the least ‖α‖.
 *
 * @param cap the cap at which it was made
 * @param anchor the anchor's class, −1 where nothing is mixed and the item only moved
 * @param becomes the class that is predicted for the mix
 * @param norm Euclidean norm of α; NaN where nothing is mixed
 * @param mean mean of α over the features
 * @param deviation standard deviation of α over the features
 * @param divergence symmetric KL divergence between the class probabilities of the item and of a
 *     mix that changes its prediction: the largest of all such mixes; NaN where it was not asked
 *     for
 */
public record Mix(
    double cap,
    int anchor,
    int becomes,
    double norm,
    double mean,
    double deviation,
    double divergence) {

  /** The ratios α of a mix as sums over the features. */
  static Mix of(double cap, int anchor, int becomes, double sum, double squares, int features) {
    double variance = (squares - sum * sum / features) / Math.max(1, features - 1);
    return new Mix(
        cap,
        anchor,
        becomes,
        Math.sqrt(squares),
        sum / features,
        Math.sqrt(Math.max(0, variance)),
        Double.NaN);
  }

  Mix withDivergence(double largest) {
    return new Mix(cap, anchor, becomes, norm, mean, deviation, largest);
  }

  /** The one of the two that has the smaller α, with the larger divergence of both. */
  static Mix better(Mix known, Mix other) {
    if (known == null || other == null) {
      return known == null ? other : known;
    }
    double divergence = Math.max(known.divergence, other.divergence);
    return (other.norm < known.norm ? other : known).withDivergence(divergence);
  }
}
