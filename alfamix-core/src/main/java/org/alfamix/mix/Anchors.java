package org.alfamix.mix;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;

/**
 * The points that unlabelled items are mixed with, one per class: the mean of the labelled
 * embeddings of the class, or one of them. A class without labelled items uses the mean of all
 * labelled items, or one of them.
 */
public final class Anchors {
  private Anchors() {}

  /** Returns a random labelled item of each class. */
  public static FloatMatrix randomItems(
      FloatMatrix labelled, int[] labels, int classes, RandomGenerator random) {
    requireNotEmpty(labelled);
    int[] sampled = new int[classes];
    for (int k = 0; k < classes; k++) {
      int label = k;
      int[] items = IntStream.range(0, labels.length).filter(i -> labels[i] == label).toArray();
      sampled[k] =
          items.length > 0 ? items[random.nextInt(items.length)] : random.nextInt(labels.length);
    }
    return labelled.gather(sampled);
  }

  private static void requireNotEmpty(FloatMatrix labelled) {
    if (labelled.rows() == 0) {
      throw new IllegalArgumentException("Anchors require at least one labelled item.");
    }
  }

  /** Returns the mean of each class, summed in double precision. */
  public static FloatMatrix classMeans(FloatMatrix labelled, int[] labels, int classes) {
    requireNotEmpty(labelled);
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
