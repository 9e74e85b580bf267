package org.alfamix.projection;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.junit.jupiter.api.Test;

class ProjectionTest {

  /** Returns three clusters of {@code size} points each, in ten dimensions. */
  private static FloatMatrix clusters(int size) {
    SplittableRandom random = new SplittableRandom(1);
    FloatMatrix points = FloatMatrix.zeros(3 * size, 10);
    for (int i = 0; i < points.rows(); i++) {
      for (int d = 0; d < 10; d++) {
        double centre = d == i / size ? 5 : 0;
        points.set(i, d, (float) (centre + random.nextGaussian() * 0.3));
      }
    }
    return points;
  }

  @Test
  void findsThePrincipalComponentsOfAStretchedCloud() {
    SplittableRandom random = new SplittableRandom(1);
    FloatMatrix points = FloatMatrix.zeros(500, 3);
    double[] first = new double[500];
    for (int i = 0; i < 500; i++) {
      double a = 10 * random.nextGaussian();
      double b = 2 * random.nextGaussian();
      points.set(i, 0, (float) (0.6 * a - 0.8 * b + 7));
      points.set(i, 1, (float) (0.8 * a + 0.6 * b - 3));
      first[i] = a;
    }
    double mean = Arrays.stream(first).average().orElseThrow();
    double[][] plane = Pca.plane(points);
    double worst = 0;
    for (int i = 0; i < 500; i++) {
      worst = Math.max(worst, Math.abs(plane[i][0] - (first[i] - mean)));
    }
    // The axes of the sample differ slightly from those of its distribution.
    assertTrue(worst < 0.5, "off by " + worst);
  }

  @Test
  void pointsOnALineHaveNoSecondDimension() {
    FloatMatrix points = FloatMatrix.of(new float[][] {{0, 0}, {1, 1}, {2, 2}, {3, 3}});
    for (double[] point : Pca.plane(points)) {
      assertEquals(0, point[1], 1e-9);
    }
  }

  @Test
  void neighboursStayTogether() {
    int size = 40;
    double[][] plane = Tsne.plane(clusters(size), Tsne.Options.DEFAULT);
    int right = 0;
    for (int i = 0; i < plane.length; i++) {
      int nearest = -1;
      for (int j = 0; j < plane.length; j++) {
        if (j != i && (nearest < 0 || distance(plane, i, j) < distance(plane, i, nearest))) {
          nearest = j;
        }
      }
      right += nearest / size == i / size ? 1 : 0;
    }
    assertEquals(plane.length, right, "points whose nearest neighbour is of the same cluster");
  }

  private static double distance(double[][] plane, int i, int j) {
    return Math.hypot(plane[i][0] - plane[j][0], plane[i][1] - plane[j][1]);
  }

  @Test
  void projectionIsTheSameOnAnyNumberOfThreads() {
    Tsne.Options few = new Tsne.Options(10, 60, 20);
    double[][] one = Parallel.with(1, () -> Tsne.plane(clusters(30), few));
    double[][] three = Parallel.with(3, () -> Tsne.plane(clusters(30), few));
    for (int i = 0; i < one.length; i++) {
      assertArrayEquals(one[i], three[i]);
    }
  }

  @Test
  void projectsEqualPoints() {
    for (double[] point : Tsne.plane(FloatMatrix.zeros(10, 4), Tsne.Options.DEFAULT)) {
      assertTrue(Double.isFinite(point[0]) && Double.isFinite(point[1]));
    }
  }
}
