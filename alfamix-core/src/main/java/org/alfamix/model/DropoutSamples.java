package org.alfamix.model;

import java.util.List;
import org.alfamix.error.InvalidDataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/** Class probabilities of the unlabelled items under several random dropout masks. */
public interface DropoutSamples {

  /** Returns the number of samples. */
  int samples();

  /** Returns the number of items. */
  int size();

  /**
   * Returns the probabilities of the items {@code from} (inclusive) to {@code to} (exclusive) in
   * one sample, one row per item.
   */
  FloatMatrix probabilities(int sample, int from, int to);

  /** Returns the samples of a subset of the items, whose indices must ascend. */
  default DropoutSamples subset(int[] items) {
    return RowSamples.subset(this, items);
  }

  /** Returns precomputed samples, items × classes each. */
  static DropoutSamples of(Rows... samples) {
    Rows[] copy = samples.clone();
    if (copy.length == 0) {
      throw new InvalidDataException("At least one dropout sample is required.");
    }
    for (int s = 0; s < copy.length; s++) {
      if (copy[s].rows() != copy[0].rows() || copy[s].columns() != copy[0].columns()) {
        throw new InvalidDataException(
            "dropout sample %d: expected %d x %d like sample 0, found %d x %d."
                .formatted(
                    s, copy[0].rows(), copy[0].columns(), copy[s].rows(), copy[s].columns()));
      }
      FiniteValues.requireProbabilities(copy[s], "dropout sample " + s);
    }
    return new RowSamples(List.of(copy));
  }
}
