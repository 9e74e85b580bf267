package org.alfamix.mix;

import java.util.Arrays;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;

/**
 * A fast index of the features that an item shares with anchors.
 *
 * <p>After a ReLU, many features are exactly 0 in both, but hardly any other values are equal.
 * Therefore zeros are stored as bits, 64 features per word, and a single lookup per item determines
 * whether any of its other values occurs in an anchor.
 */
final class SharedFeatures {
  private final int words;

  /** Bit d of word w of anchor k at {@code k · words + w}: feature 64 w + d is zero. */
  private final long[] anchorZeros;

  /** For each feature the non-zero values of the anchors, sorted. */
  private final float[][] values;

  SharedFeatures(FloatMatrix anchors) {
    int features = anchors.columns();
    this.words = (features + 63) / 64;
    this.anchorZeros = new long[anchors.rows() * words];
    this.values = new float[features][];
    for (int k = 0; k < anchors.rows(); k++) {
      for (int d = 0; d < features; d++) {
        if (anchors.array()[anchors.rowOffset(k) + d] == 0) {
          anchorZeros[k * words + (d >> 6)] |= 1L << d;
        }
      }
    }
    Parallel.forBlocks(
        features,
        16,
        (from, to) -> {
          for (int d = from; d < to; d++) {
            values[d] = sortedValues(anchors, d);
          }
        });
  }

  private static float[] sortedValues(FloatMatrix anchors, int d) {
    float[] result = new float[anchors.rows()];
    int count = 0;
    for (int k = 0; k < anchors.rows(); k++) {
      float value = anchors.array()[anchors.rowOffset(k) + d];
      if (value != 0) {
        result[count++] = value;
      }
    }
    Arrays.sort(result, 0, count);
    return Arrays.copyOf(result, count);
  }

  /** Returns a word of the zero bits of an anchor. */
  long zeros(int anchor, int word) {
    return anchorZeros[anchor * words + word];
  }

  /**
   * Writes the zero bits of an item.
   *
   * @return whether none of its other values occurs in an anchor
   */
  boolean findZeros(float[] z, int offset, long[] out) {
    Arrays.fill(out, 0);
    boolean onlyZeros = true;
    for (int d = 0; d < values.length; d++) {
      float value = z[offset + d];
      if (value == 0) {
        out[d >> 6] |= 1L << d;
      } else if (onlyZeros && Arrays.binarySearch(values[d], value) >= 0) {
        onlyZeros = false;
      }
    }
    return onlyZeros;
  }
}
