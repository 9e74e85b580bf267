package org.alfamix.mix;

import org.alfamix.math.FloatMatrix;

/**
 * The points that unlabelled items are mixed with: per class the mean of its labelled embeddings,
 * and the mean of all of them for a class that has no label yet.
 */
public final class Anchors {
  private Anchors() {}

  /** One row per class; sums are taken in double. */
  public static FloatMatrix classMeans(FloatMatrix labelled, int[] labels, int classes) {
    if (labelled.rows() == 0) {
      throw new IllegalArgumentException("Anchors need at least one labelled item.");
    }
    int columns = labelled.columns();
    double[][] sums = new double[classes][columns];
    int[] counts = new int[classes];
    double[] total = new double[columns];
    for (int i = 0; i < labels.length; i++) {
      double[] sum = sums[labels[i]];
      counts[labels[i]]++;
      int offset = labelled.rowOffset(i);
      for (int d = 0; d < columns; d++) {
        float value = labelled.array()[offset + d];
        sum[d] += value;
        total[d] += value;
      }
    }
    FloatMatrix anchors = FloatMatrix.zeros(classes, columns);
    for (int k = 0; k < classes; k++) {
      double[] sum = counts[k] > 0 ? sums[k] : total;
      int count = counts[k] > 0 ? counts[k] : labels.length;
      for (int d = 0; d < columns; d++) {
        anchors.set(k, d, (float) (sum[d] / count));
      }
    }
    return anchors;
  }
}
