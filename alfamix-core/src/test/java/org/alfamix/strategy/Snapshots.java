package org.alfamix.strategy;

import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;

/** Random snapshots that look like a network's: features after a ReLU, overlapping classes. */
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

  /** The same snapshot with another pool. */
  static Snapshot withPool(Snapshot snapshot, FloatMatrix pool) {
    return Snapshot.of(pool)
        .labelled(snapshot.labelled(), snapshot.labels())
        .head(snapshot.head().orElseThrow())
        .build();
  }
}
