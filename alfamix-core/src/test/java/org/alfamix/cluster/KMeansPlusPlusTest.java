package org.alfamix.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.Test;

class KMeansPlusPlusTest {
  private final SplittableRandom random = new SplittableRandom(5);

  private FloatMatrix randomMatrix(int rows, int columns) {
    FloatMatrix matrix = FloatMatrix.zeros(rows, columns);
    for (int i = 0; i < rows; i++) {
      for (int d = 0; d < columns; d++) {
        matrix.set(i, d, (float) (random.nextDouble() - 0.5));
      }
    }
    return matrix;
  }

  @Test
  void samplesInProportionToTheSquaredDistance() {
    // The distances from point 0 are 1, 2 and 3, so the probabilities are 1, 4 and 9 of 14.
    FloatMatrix line =
        FloatMatrix.of(new float[] {0}, new float[] {1}, new float[] {-2}, new float[] {3});
    int[] counts = new int[4];
    for (int trial = 0; trial < 14_000; trial++) {
      counts[KMeansPlusPlus.pick(new DensePoints(line), 2, 0, random).indices()[1]]++;
    }
    assertEquals(0, counts[0]);
    assertEquals(1000, counts[1], 150);
    assertEquals(4000, counts[2], 250);
    assertEquals(9000, counts[3], 250);
  }

  @Test
  void picksAreDistinctForEqualPoints() {
    Points points = new DensePoints(FloatMatrix.zeros(20, 3));
    int[] picks = KMeansPlusPlus.pick(points, 20, 4, random).indices();
    assertEquals(20, Arrays.stream(picks).distinct().count());
    assertEquals(4, picks[0]);
  }

  @Test
  void boundsDoNotChangeDistances() {
    FloatMatrix left = randomMatrix(300, 4);
    FloatMatrix right = randomMatrix(300, 30);
    OuterProductPoints implicit = new OuterProductPoints(left, right);
    DensePoints explicit = new DensePoints(implicit.coordinates(0, 300));
    float[] a = new float[300];
    float[] b = new float[300];
    Arrays.fill(a, Float.POSITIVE_INFINITY);
    Arrays.fill(b, Float.POSITIVE_INFINITY);
    for (int centre = 0; centre < 40; centre++) {
      implicit.lowerDistances(centre, a);
      explicit.lowerDistances(centre, b);
    }
    assertArrayEquals(b, a, 1e-4f);
    int[] same = KMeansPlusPlus.pick(implicit, 30, 0, new SplittableRandom(1)).indices();
    int[] again = KMeansPlusPlus.pick(implicit, 30, 0, new SplittableRandom(1)).indices();
    assertArrayEquals(same, again);
  }

  @Test
  void rejectsMorePicksThanPoints() {
    Points points = new DensePoints(FloatMatrix.zeros(2, 3));
    var exception =
        assertThrows(
            IllegalArgumentException.class, () -> KMeansPlusPlus.pick(points, 3, 0, random));
    assertEquals("Cannot pick 3 of 2 points.", exception.getMessage());
  }
}
