package org.alfamix.strategy;

import java.util.Arrays;
import java.util.BitSet;
import java.util.stream.IntStream;
import org.alfamix.cluster.PickConstraint;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.model.Snapshot;

/**
 * Limits the number of picks per predicted class, so that no class dominates the batch.
 *
 * <p>An instance counts the picks of one batch and cannot be reused.
 */
public final class ClassCap implements PickConstraint {
  private final int[] predicted;
  private final int[] remaining;

  private ClassCap(int[] predicted, int[] remaining) {
    this.predicted = predicted;
    this.remaining = remaining;
  }

  /**
   * Creates a cap for one batch.
   *
   * @param snapshot predicts the class of every unlabelled item
   * @param limit maximum number of picks of one predicted class, at least 1
   */
  public static ClassCap of(Snapshot snapshot, int limit) {
    if (limit < 1) {
      throw new InvalidRequestException("perClassCap", "must be at least 1, got " + limit + ".");
    }
    if (!snapshot.hasProbabilities()) {
      throw new InvalidRequestException(
          "perClassCap", "needs predictions: provide a head or probabilities.");
    }
    int[] predicted = snapshot.predict(IntStream.range(0, snapshot.size()).toArray());
    int[] remaining = new int[snapshot.classes()];
    Arrays.fill(remaining, limit);
    return new ClassCap(predicted, remaining);
  }

  @Override
  public boolean allows(int item) {
    return remaining[predicted[item]] > 0;
  }

  @Override
  public void picked(int item) {
    remaining[predicted[item]]--;
  }

  /** Returns the predicted class of an item. */
  int predicted(int item) {
    return predicted[item];
  }

  /** Returns the number of remaining picks of each class. */
  int[] remaining() {
    return remaining.clone();
  }

  /** Returns the items that may be picked and are not excluded, ascending. */
  int[] allowed(BitSet excluded) {
    return IntStream.range(0, predicted.length)
        .filter(item -> allows(item) && !excluded.get(item))
        .toArray();
  }
}
