package org.alfamix.strategy;

import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/**
 * Random snapshots that resemble those of a network: features after a ReLU, overlapping classes.
 */
final class Snapshots {
  private Snapshots() {}

  static Snapshot random(int pool, int labelled, int features, int classes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FloatMatrix weights = gaussian(classes, features, random, 0.5);
    float[] bias = new float[classes];
    int[] labels = random.ints(labelled, 0, classes).toArray();
    return Snapshot.of(relu(gaussian(pool, features, random, 1)))
        .labelled(relu(gaussian(labelled, features, random, 1)), labels)
        .head(new LinearHead(weights, bias))
        .build();
  }

  static FloatMatrix gaussian(int rows, int columns, SplittableRandom random, double scale) {
    FloatMatrix matrix = FloatMatrix.zeros(rows, columns);
    for (int i = 0; i < matrix.array().length; i++) {
      matrix.array()[i] = (float) (scale * random.nextGaussian());
    }
    return matrix;
  }

  static FloatMatrix relu(FloatMatrix matrix) {
    for (int i = 0; i < matrix.array().length; i++) {
      matrix.array()[i] = Math.max(0, matrix.array()[i]);
    }
    return matrix;
  }

  /** Returns the snapshot with an additional constant feature that the head ignores. */
  static Snapshot withColumn(Snapshot snapshot, float value) {
    LinearHead head = (LinearHead) snapshot.head().orElseThrow();
    return Snapshot.of(withColumn(snapshot.unlabelled().toMatrix(), value))
        .labelled(withColumn(snapshot.labelled(), value), snapshot.labels())
        .head(new LinearHead(withColumn(head.weights(), 0), head.bias()))
        .build();
  }

  private static FloatMatrix withColumn(FloatMatrix matrix, float value) {
    FloatMatrix result = FloatMatrix.zeros(matrix.rows(), matrix.columns() + 1);
    for (int i = 0; i < matrix.rows(); i++) {
      System.arraycopy(matrix.row(i), 0, result.array(), result.rowOffset(i), matrix.columns());
      result.set(i, matrix.columns(), value);
    }
    return result;
  }

  /** Returns the snapshot with another pool. */
  static Snapshot withPool(Snapshot snapshot, FloatMatrix pool) {
    return Snapshot.of(pool)
        .labelled(snapshot.labelled(), snapshot.labels())
        .head(snapshot.head().orElseThrow())
        .build();
  }
}
