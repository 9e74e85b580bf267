package org.alfamix.cli;

import java.nio.file.Path;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;

/**
 * A golden case in the form of user files: one pool, with the labelled items last.
 *
 * @param size number of unlabelled items
 */
record Golden(
    String name,
    int budget,
    double cap,
    int candidates,
    int size,
    FloatMatrix pool,
    int[] labels,
    FloatMatrix weight,
    float[] bias) {

  static Golden of(String name) {
    return switch (name) {
      case "edge" -> read(name, 5, 0.4, 8);
      case "few" -> read(name, 20, 1.0, 11);
      case "letter" -> read(name, 20, 0.2, 458);
      case "mnist" -> read(name, 20, 0.2, 348);
      default -> throw new IllegalArgumentException(name);
    };
  }

  private static Path file(String name, String array) {
    return Path.of(
        "..", "alfamix-core", "src", "test", "resources", "golden", name, array + ".npy");
  }

  private static FloatMatrix matrix(String name, String array) {
    return Npy.open(file(name, array)).readMatrix();
  }

  private static Golden read(String name, int budget, double cap, int candidates) {
    FloatMatrix unlabelled = matrix(name, "z");
    FloatMatrix labelled = matrix(name, "zl");
    FloatMatrix pool = FloatMatrix.zeros(unlabelled.rows() + labelled.rows(), unlabelled.columns());
    System.arraycopy(unlabelled.array(), 0, pool.array(), 0, unlabelled.array().length);
    System.arraycopy(
        labelled.array(), 0, pool.array(), unlabelled.array().length, labelled.array().length);
    return new Golden(
        name,
        budget,
        cap,
        candidates,
        unlabelled.rows(),
        pool,
        Npy.open(file(name, "yl")).readInts(),
        matrix(name, "W"),
        Npy.open(file(name, "b")).readFloats());
  }

  /** Returns the golden mask of the candidates at the final cap. */
  boolean[] mask() {
    String suffix = cap == 1.0 ? "10" : "0" + Math.round(10 * cap);
    return Npy.open(file(name, "candidates_" + suffix)).readBooleans();
  }

  double[] flipCaps() {
    float[] caps = Npy.open(file(name, "flip_cap")).readFloats();
    double[] result = new double[caps.length];
    for (int i = 0; i < caps.length; i++) {
      result[i] = caps[i];
    }
    return result;
  }
}
