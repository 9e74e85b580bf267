package org.alfamix.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Distances do not change if all points are shifted together, at any offset. */
class LargeOffsetTest {

  /** Returns multiples of 1/8, which floats represent exactly even at an offset of a million. */
  private static FloatMatrix eighths(int rows, int columns, long seed, float offset) {
    SplittableRandom random = new SplittableRandom(seed);
    FloatMatrix matrix = FloatMatrix.zeros(rows, columns);
    for (int i = 0; i < matrix.array().length; i++) {
      matrix.array()[i] = offset + random.nextInt(-24, 25) / 8f;
    }
    return matrix;
  }

  private static void assertNearestIsFound(FloatMatrix points, FloatMatrix centres) {
    double[] found = EuclideanCover.squaredDistancesToNearest(points, centres);
    for (int i = 0; i < points.rows(); i++) {
      double nearest = Double.POSITIVE_INFINITY;
      for (int c = 0; c < centres.rows(); c++) {
        nearest = Math.min(nearest, Kernels.squaredDistance(points.row(i), centres.row(c)));
      }
      assertEquals(nearest, found[i], 0, "point " + i);
    }
  }

  @ParameterizedTest
  @ValueSource(floats = {0, 300, 1e4f, 1e6f})
  void findsTheNearestCentre(float offset) {
    FloatMatrix points = eighths(700, 256, 1, offset);
    FloatMatrix centres = eighths(90, 256, 2, offset);
    assertNearestIsFound(points, centres);
  }

  /** A distant centre must not reduce the precision of the distances to all others. */
  @ParameterizedTest
  @ValueSource(floats = {1e5f, 1e7f})
  void findsTheNearestCentreDespiteAnOutlier(float outlier) {
    FloatMatrix points = eighths(300, 40, 3, 0);
    FloatMatrix centres = eighths(50, 40, 4, 0);
    centres.set(17, 5, outlier);
    assertNearestIsFound(points, centres);
  }

  @ParameterizedTest
  @ValueSource(floats = {300, 1e4f, 1e6f})
  void anOffsetChangesNeitherInertiaNorAssignments(float offset) {
    KMeans.Options options = KMeans.Options.of(12);
    FloatMatrix points = eighths(600, 64, 5, 0);
    FloatMatrix shifted = eighths(600, 64, 5, offset);
    double inertia = KMeans.cluster(points, options, new SplittableRandom(1)).inertia();
    Clustering moved = KMeans.cluster(shifted, options, new SplittableRandom(1));
    assertEquals(inertia, moved.inertia(), 0.01 * inertia);
    assertEquals(inertia(points, moved.assignment()), moved.inertia(), 1e-4 * inertia);
    assertArrayEquals(
        KMeans.nearest(points, eighths(20, 64, 6, 0)),
        KMeans.nearest(shifted, eighths(20, 64, 6, offset)));
  }

  private static double inertia(FloatMatrix points, int[] assignment) {
    FloatMatrix centres = KMeans.centres(points, assignment, 12);
    double sum = 0;
    for (int i = 0; i < points.rows(); i++) {
      sum += Kernels.squaredDistance(points.row(i), centres.row(assignment[i]));
    }
    return sum;
  }

  /** Points c ⊗ z that are far from the origin and close to each other. */
  @ParameterizedTest
  @ValueSource(floats = {300, 1e4f, 1e6f})
  void distancesOfOuterProductsKeepTheirPrecision(float offset) {
    FloatMatrix left = eighths(200, 5, 7, 40);
    FloatMatrix right = eighths(200, 64, 8, offset);
    float[] least = new float[200];
    Arrays.fill(least, Float.POSITIVE_INFINITY);
    OuterProductPoints points = new OuterProductPoints(left, right);
    for (int centre : new int[] {3, 80, 199}) {
      points.lowerDistances(centre, least);
    }
    for (int i = 0; i < 200; i++) {
      double nearest = Double.POSITIVE_INFINITY;
      for (int centre : new int[] {3, 80, 199}) {
        nearest = Math.min(nearest, squaredDistance(left, right, i, centre));
      }
      assertEquals(nearest, least[i], 2e-3 * nearest, "point " + i);
    }
  }

  private static double squaredDistance(FloatMatrix left, FloatMatrix right, int i, int j) {
    double sum = 0;
    for (int k = 0; k < left.columns(); k++) {
      for (int d = 0; d < right.columns(); d++) {
        double difference =
            (double) left.get(i, k) * right.get(i, d) - (double) left.get(j, k) * right.get(j, d);
        sum += difference * difference;
      }
    }
    return sum;
  }
}
