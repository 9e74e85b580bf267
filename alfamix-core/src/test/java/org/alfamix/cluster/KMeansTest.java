package org.alfamix.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KMeansTest {

  /** Returns blobs around the corners of a simplex. */
  private static FloatMatrix blobs(int n, int d, int centres, double spread, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FloatMatrix rows = FloatMatrix.zeros(n, d);
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < d; j++) {
        double centre = j == i % centres ? 10 : 0;
        rows.set(i, j, (float) (centre + spread * (random.nextDouble() - 0.5)));
      }
    }
    return rows;
  }

  private static double inertia(FloatMatrix rows, int[] assignment, int k) {
    double[][] sums = new double[k][rows.columns()];
    int[] sizes = new int[k];
    for (int i = 0; i < rows.rows(); i++) {
      sizes[assignment[i]]++;
      for (int d = 0; d < rows.columns(); d++) {
        sums[assignment[i]][d] += rows.get(i, d);
      }
    }
    double total = 0;
    for (int i = 0; i < rows.rows(); i++) {
      for (int d = 0; d < rows.columns(); d++) {
        double mean = sums[assignment[i]][d] / sizes[assignment[i]];
        total += Math.pow(rows.get(i, d) - mean, 2);
      }
    }
    return total;
  }

  // 1,000 points in 5 clusters use centres as vectors, the others use the Gram matrix.
  @ParameterizedTest
  @CsvSource({"1000, 5", "1000, 100", "1000, 900", "64, 8", "30, 30", "7, 1"})
  void returnsAPartitionAndItsInertia(int n, int k) {
    FloatMatrix rows = blobs(n, 20, 5, 1, 3);
    FloatMatrix before = rows.copy();
    Clustering result = KMeans.cluster(rows, KMeans.Options.of(k), new SplittableRandom(1));
    assertArrayEquals(before.array(), rows.array(), "input untouched");
    assertEquals(k, result.clusters());
    assertEquals(k, Arrays.stream(result.assignment()).distinct().count(), "no cluster is empty");
    for (int j = 0; j < k; j++) {
      assertEquals(j, result.assignment()[result.nearest()[j]]);
    }
    double exact = inertia(rows, result.assignment(), k);
    assertEquals(exact, result.inertia(), 1e-3 * exact + 1e-3);
  }

  @Test
  void findsBlobs() {
    FloatMatrix rows = blobs(500, 20, 5, 1, 4);
    Clustering result = KMeans.cluster(rows, KMeans.Options.of(5), new SplittableRandom(2));
    for (int i = 5; i < 500; i++) {
      assertEquals(result.assignment()[i % 5], result.assignment()[i]);
    }
  }

  @Test
  void bothSeedingPathsHaveTheSameQuality() {
    FloatMatrix rows = blobs(400, 16, 7, 8, 5);
    Points dense = new DensePoints(rows);
    KMeans.Options few = new KMeans.Options(20, 1, 300, 0);
    KMeans.Options many = new KMeans.Options(20, 40, 300, 0);
    // 20 clusters, 4 trials: one start seeds by products, forty starts use the Gram matrix.
    double best = KMeans.cluster(dense, many, new SplittableRandom(1)).inertia();
    double[] single =
        new SplittableRandom(2)
            .longs(9)
            .mapToDouble(s -> KMeans.cluster(dense, few, new SplittableRandom(s)).inertia())
            .sorted()
            .toArray();
    assertTrue(best <= single[4] * 1.0001, best + " against " + Arrays.toString(single));
    assertTrue(single[0] <= best * 1.1, best + " against " + Arrays.toString(single));
  }

  @ParameterizedTest
  @CsvSource({"1000, 5", "300, 100", "300, 200", "5000, 10"})
  void resultIsTheSameOnAnyNumberOfThreads(int n, int k) {
    FloatMatrix rows = blobs(n, 20, 5, 6, 3);
    Clustering one =
        Parallel.with(1, () -> KMeans.cluster(rows, KMeans.Options.of(k), new SplittableRandom(1)));
    Clustering eight =
        Parallel.with(8, () -> KMeans.cluster(rows, KMeans.Options.of(k), new SplittableRandom(1)));
    assertArrayEquals(one.assignment(), eight.assignment());
    assertEquals(one.inertia(), eight.inertia());
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 10, 50})
  void fillsEveryClusterWithEqualPoints(int k) {
    FloatMatrix rows = FloatMatrix.zeros(50, 4);
    for (int i = 0; i < 50; i++) {
      rows.set(i, 0, i % 2);
    }
    Clustering result = KMeans.cluster(rows, KMeans.Options.of(k), new SplittableRandom(1));
    assertEquals(k, Arrays.stream(result.assignment()).distinct().count());
    assertEquals(k, Arrays.stream(result.nearest()).distinct().count());
    assertEquals(0, result.inertia(), 1e-5);
  }

  @Test
  void resultIsTheSameForEveryRepresentationOfCentres() {
    DensePoints points = new DensePoints(blobs(1500, 12, 6, 7, 10));
    int k = 25;
    GramMatrix gram = GramMatrix.of(points);
    Clustering table = new DenseLloyd(points, k, seeded(points, gram, k)).run(100, 0, "");
    Clustering streaming = new StreamingLloyd(points, k, seeded(points, gram, k)).run(100, 0, "");
    Clustering pairs = new GramLloyd(points, gram, k, seeded(points, gram, k)).run(100, 0, "");
    assertTrue(table.iterations() > 3, "a case that converges at once tests nothing");
    assertArrayEquals(table.assignment(), streaming.assignment());
    assertEquals(table.inertia(), streaming.inertia());
    // Sums of inner products round differently from inner products of sums.
    assertEquals(table.inertia(), pairs.inertia(), 1e-3 * table.inertia());
  }

  private static Assignment seeded(DensePoints points, GramMatrix gram, int k) {
    GreedySeeding seeding = new GreedySeeding(points, k, new SplittableRandom(1));
    for (int c = 0; c < k; c++) {
      int candidate = seeding.sampleCandidates(1)[0];
      seeding.accept(candidate, gram.array(), candidate * points.size());
    }
    return seeding.assignment();
  }

  @Test
  void clustersPointsWithoutCoordinatesLikeDensePoints() {
    FloatMatrix left = blobs(60, 3, 3, 4, 6);
    FloatMatrix right = blobs(60, 5, 4, 4, 7);
    OuterProductPoints implicit = new OuterProductPoints(left, right);
    FloatMatrix explicit = implicit.coordinates(0, 60);
    assertEquals(15, explicit.columns());
    for (int k : new int[] {2, 12}) {
      double a = KMeans.cluster(implicit, KMeans.Options.of(k), new SplittableRandom(1)).inertia();
      double b = KMeans.cluster(explicit, KMeans.Options.of(k), new SplittableRandom(1)).inertia();
      assertEquals(b, a, 0.05 * b);
    }
  }

  /**
   * Overlapping blobs, for which the start matters: ten starts on a sample against ten on all
   * points.
   */
  @Test
  void restartsOnASampleHaveSimilarQuality() {
    FloatMatrix rows = blobs(9_000, 24, 20, 14, 12);
    double sampled = KMeans.cluster(rows, KMeans.Options.of(40), new SplittableRandom(1)).inertia();
    DensePoints all = new DensePoints(rows);
    double full =
        KMeans.bestOfRestarts(all, KMeans.Options.of(40), new SplittableRandom(1)).inertia();
    assertEquals(full, sampled, 0.02 * full);
  }

  /** Points in blobs, and points without any structure; many small clusters and few large ones. */
  @ParameterizedTest
  @CsvSource({"3000, 300, 3", "3000, 300, 40", "4000, 50, 12", "2500, 1000, 10"})
  void approximateInertiaIsWithinFivePercent(int n, int k, int spread) {
    DensePoints points = new DensePoints(blobs(n, 24, 12, spread, 5));
    KMeans.Options options = KMeans.Options.of(k);
    Clustering full = KMeans.clusterFully(points, options, new SplittableRandom(1));
    Clustering fast = KMeans.approximate(points, options, new SplittableRandom(1));
    assertTrue(fast.method().startsWith("approximate"), fast.method());
    assertTrue(full.method().startsWith("10 restarts of greedy k-means++"), full.method());
    assertTrue(
        fast.inertia() <= 1.05 * full.inertia(), fast.inertia() + " against " + full.inertia());
    assertEquals(
        inertia(points.coordinates(0, n), fast.assignment(), k),
        fast.inertia(),
        0.05 * fast.inertia());
    assertEquals(k, Arrays.stream(fast.assignment()).distinct().count());
    Clustering sequential =
        Parallel.with(1, () -> KMeans.approximate(points, options, new SplittableRandom(1)));
    assertArrayEquals(fast.assignment(), sequential.assignment());
  }

  @Test
  void approximationFillsEveryClusterWithEqualPoints() {
    DensePoints points = new DensePoints(FloatMatrix.zeros(2000, 8));
    Clustering result =
        KMeans.approximate(points, KMeans.Options.of(1500), new SplittableRandom(1));
    assertEquals(1500, Arrays.stream(result.assignment()).distinct().count());
    assertEquals(0, result.inertia());
  }

  @Test
  void movesTheSmallestKeysToTheFront() {
    SplittableRandom random = new SplittableRandom(4);
    for (int size = 1; size < 200; size += 7) {
      long[] keys = random.longs(size, 0, 50).toArray();
      long[] sorted = keys.clone();
      Arrays.sort(sorted);
      int count = 1 + random.nextInt(size);
      NeighbourLloyd.selectSmallest(keys, count);
      long[] front = Arrays.copyOf(keys, count);
      Arrays.sort(front);
      assertArrayEquals(Arrays.copyOf(sorted, count), front);
    }
  }

  @Test
  void keepsPrecisionFarFromTheOrigin() {
    FloatMatrix rows = blobs(200, 8, 4, 1, 8);
    double near = KMeans.cluster(rows, KMeans.Options.of(4), new SplittableRandom(1)).inertia();
    for (int i = 0; i < rows.rows(); i++) {
      for (int d = 0; d < rows.columns(); d++) {
        rows.set(i, d, rows.get(i, d) + 1000);
      }
    }
    double far = KMeans.cluster(rows, KMeans.Options.of(4), new SplittableRandom(1)).inertia();
    assertEquals(near, far, 1e-3 * near);
  }

  @Test
  void rejectsTooFewPointsAndInvalidOptions() {
    var exception =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                KMeans.cluster(
                    FloatMatrix.zeros(3, 2), KMeans.Options.of(5), new SplittableRandom(1)));
    assertEquals("Cannot form 5 clusters from 3 points.", exception.getMessage());
    assertThrows(IllegalArgumentException.class, () -> KMeans.Options.of(0));
    assertThrows(IllegalArgumentException.class, () -> new KMeans.Options(1, 0, 1, 0));
    assertThrows(IllegalArgumentException.class, () -> new KMeans.Options(1, 1, 1, Double.NaN));
  }

  @Test
  void returnsTheMemberNearestToEachCentre() {
    FloatMatrix rows = blobs(300, 6, 3, 5, 9);
    Clustering result = KMeans.cluster(rows, KMeans.Options.of(3), new SplittableRandom(1));
    for (int j = 0; j < 3; j++) {
      float[] centre = new float[6];
      int size = 0;
      for (int i = 0; i < 300; i++) {
        if (result.assignment()[i] == j) {
          size++;
          Kernels.axpy(1, rows.array(), rows.rowOffset(i), centre, 0, 6);
        }
      }
      for (int d = 0; d < 6; d++) {
        centre[d] /= size;
      }
      float chosen = Kernels.squaredDistance(centre, rows.row(result.nearest()[j]));
      for (int i = 0; i < 300; i++) {
        if (result.assignment()[i] == j) {
          assertTrue(chosen <= Kernels.squaredDistance(centre, rows.row(i)) + 1e-4);
        }
      }
    }
  }

  @Test
  void rejectsSquaredNormsThatOverflow() {
    FloatMatrix huge = blobs(100, 4, 3, 1, 1);
    for (int i = 0; i < huge.array().length; i++) {
      huge.array()[i] *= 1e20f;
    }
    assertThrows(
        IllegalArgumentException.class,
        () -> KMeans.cluster(huge, KMeans.Options.of(3), new SplittableRandom(1)));
  }
}
