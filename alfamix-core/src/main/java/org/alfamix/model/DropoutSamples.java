package org.alfamix.model;

import java.util.List;
import org.alfamix.error.InvalidDataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/** Class probabilities of the unlabelled items under several draws of dropout. */
public interface DropoutSamples {

  /** Number of draws. */
  int samples();

  /** Number of items. */
  int size();

  /** Probabilities of the items {@code from} to {@code to} under one draw, one row per item. */
  FloatMatrix probabilities(int sample, int from, int to);

  /** The samples of some of the items, whose numbers ascend. */
  default DropoutSamples subset(int[] items) {
    return RowSamples.subset(this, items);
  }

  /** Samples that are there already, items × classes per draw. */
  static DropoutSamples of(Rows... samples) {
    Rows[] copy = samples.clone();
    if (copy.length == 0) {
      throw new InvalidDataException("There must be at least one dropout sample.");
    }
    for (int s = 0; s < copy.length; s++) {
      if (copy[s].rows() != copy[0].rows() || copy[s].columns() != copy[0].columns()) {
        throw new InvalidDataException(
            "Dropout sample %d is %d x %d, sample 0 is %d x %d."
                .formatted(
                    s, copy[s].rows(), copy[s].columns(), copy[0].rows(), copy[0].columns()));
      }
      FiniteValues.requireProbabilities(copy[s], "dropout sample " + s);
    }
    return new RowSamples(List.of(copy));
  }
}
