package org.alfamix.mix;

import java.util.Arrays;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;

/**
 * Tells fast which features an item shares with anchors.
 *
 * <p>After a ReLU many features are exactly 0 in both, and hardly any other value is. So zeros are
 * kept as bits, 64 features to a word, and whether any other value of an item occurs in any anchor
 * is looked up once per item.
 */
final class SharedFeatures {
  private final int words;

  /** Bit d of word w of anchor k at {@code k · words + w}: feature 64 w + d is zero. */
  private final long[] anchorZeros;

  /** For each feature the values other than 0 that some anchor has, sorted. */
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

  /** A word of an anchor's zeros. */
  long zeros(int anchor, int word) {
    return anchorZeros[anchor * words + word];
  }

  /**
   * Writes an item's zeros as bits.
   *
   * @return whether none of its other values occurs in any anchor
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
