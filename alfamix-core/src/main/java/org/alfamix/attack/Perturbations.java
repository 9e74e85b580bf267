package org.alfamix.attack;

/**
 * How far some items had to be moved until their prediction changed.
 *
 * @param squaredNorms squared Euclidean norm of each perturbation; infinite where the network is
 *     flat around an item and no direction leads anywhere
 * @param predicted the class of each item as it is
 * @param becomes its class where it was moved to; the same one where nothing changed it
 */
public record Perturbations(double[] squaredNorms, int[] predicted, int[] becomes) {

  static Perturbations of(int size) {
    return new Perturbations(new double[size], new int[size], new int[size]);
  }

  void set(int item, double squaredNorm, int before, int after) {
    squaredNorms[item] = squaredNorm;
    predicted[item] = before;
    becomes[item] = after;
  }
}
