package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Compares with the results of Pillow 9.4 for the same values (mode F, BILINEAR). */
class ResamplingTest {
  private static float[] plane() {
    float[] values = new float[35];
    for (int i = 0; i < values.length; i++) {
      values[i] = i * 7 % 31;
    }
    return values;
  }

  @Test
  void shrinksLikePillow() {
    float[] expected = {
      5.0952f, 16.0952f, 18.6599f, 11.32f, 20.3911f, 11.8857f, 18.68f, 19.3467f, 9.68f, 17.9456f,
      9.0053f, 15.9048f
    };
    assertArrayEquals(expected, Resampling.resize(plane(), 7, 5, 4, 3), 2e-4f);
  }

  @Test
  void enlargesLikePillow() {
    float[] expected = {
      0, 3.0625f, 7.4375f, 11.8125f, 16.1875f, 20.5625f, 24.9375f, 28, 2.6667f, 5.7292f, 10.1042f,
      14.4792f, 18.8542f, 23.2292f, 15.9792f, 10
    };
    float[] found = Resampling.resize(plane(), 7, 5, 9, 8);
    assertArrayEquals(expected, Arrays.copyOf(found, 16), 2e-4f);
  }

  @Test
  void returnsThePlaneIfTheSizeIsUnchanged() {
    float[] plane = plane();
    assertSame(plane, Resampling.resize(plane, 7, 5, 7, 5));
  }
}
