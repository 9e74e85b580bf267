package org.alfamix.strategy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.alfamix.cluster.PickConstraint;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.model.Snapshot;

/**
 * Limits the number of picks per predicted class, so that no class takes the whole batch.
 *
 * <p>An instance counts the picks of one batch and cannot be reused.
 */
public final class ClassCap implements PickConstraint {
  private final int[] predicted;
  private final int[] left;

  private ClassCap(int[] predicted, int[] left) {
    this.predicted = predicted;
    this.left = left;
  }

  /**
   * Creates a cap for one batch.
   *
   * @param snapshot predicts the class of every unlabelled item
   * @param most most picks of one predicted class, at least 1
   */
  public static ClassCap of(Snapshot snapshot, int most) {
    if (most < 1) {
      throw new InvalidRequestException("perClassCap", "must be at least 1, got " + most + ".");
    }
    if (!snapshot.hasProbabilities()) {
      throw new InvalidRequestException(
          "perClassCap", "needs predictions: provide a head or probabilities.");
    }
    int[] predicted = snapshot.predict(IntStream.range(0, snapshot.size()).toArray());
    int[] left = new int[snapshot.classes()];
    Arrays.fill(left, most);
    return new ClassCap(predicted, left);
  }

  @Override
  public boolean allows(int item) {
    return left[predicted[item]] > 0;
  }

  @Override
  public void picked(int item) {
    left[predicted[item]]--;
  }

  /** The class that an item is predicted to be of. */
  int predicted(int item) {
    return predicted[item];
  }

  /** Number of picks that are left for each class. */
  int[] left() {
    return left.clone();
  }

  /** The items that may be picked and are not among some others, ascending. */
  int[] allowed(BitSet others) {
    return IntStream.range(0, predicted.length)
        .filter(item -> allows(item) && !others.get(item))
        .toArray();
  }
}
