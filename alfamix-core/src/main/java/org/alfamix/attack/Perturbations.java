package org.alfamix.attack;

/**
 * How far some items had to be moved until their prediction changed.
 *
 * @param squaredNorms squared Euclidean norm of each perturbation
 * @param predicted the class of each item as it is
 * @param becomes its class where it was moved to; the same one where it took too many steps, or
 *     came to a place (its own, with a norm of 0) around which the network is flat
 */
public record Perturbations(double[] squaredNorms, int[] predicted, int[] becomes) {

  /** Whether the network is flat around an item, so that no direction leads to another class. */
  public boolean isFlat(int item) {
    return squaredNorms[item] == 0 && predicted[item] == becomes[item];
  }

  static Perturbations of(int size) {
    return new Perturbations(new double[size], new int[size], new int[size]);
  }

  void set(int item, double squaredNorm, int before, int after) {
    squaredNorms[item] = squaredNorm;
    predicted[item] = before;
    becomes[item] = after;
  }
}
