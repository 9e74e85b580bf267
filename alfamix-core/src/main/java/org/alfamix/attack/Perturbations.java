package org.alfamix.attack;

/**
 * The perturbations that change the predictions of some items.
 *
 * @param squaredNorms squared Euclidean norm of each perturbation
 * @param predicted predicted class of each original item
 * @param flipsTo predicted class of each perturbed item; the original class if the maximum number
 *     of steps was reached, or if the network is flat around the item (at its original position if
 *     the norm is 0)
 */
public record Perturbations(double[] squaredNorms, int[] predicted, int[] flipsTo) {

  /**
   * Returns whether the network is flat around an item, so that no direction leads to another
   * class.
   */
  public boolean isFlat(int item) {
    return squaredNorms[item] == 0 && predicted[item] == flipsTo[item];
  }

  static Perturbations of(int size) {
    return new Perturbations(new double[size], new int[size], new int[size]);
  }

  void set(int item, double squaredNorm, int before, int after) {
    squaredNorms[item] = squaredNorm;
    predicted[item] = before;
    flipsTo[item] = after;
  }
}
