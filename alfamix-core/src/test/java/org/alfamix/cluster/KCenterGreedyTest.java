package org.alfamix.cluster;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KCenterGreedyTest {

  /** The textbook method without lazy updates. */
  private static int[] plain(double[] nearest, Dissimilarity dissimilarity, int count) {
    double[] d = nearest.clone();
    boolean[] taken = new boolean[d.length];
    int[] picks = new int[count];
    for (int p = 0; p < count; p++) {
      int best = -1;
      for (int i = 0; i < d.length; i++) {
        if (!taken[i] && (best < 0 || d[i] > d[best])) {
          best = i;
        }
      }
      picks[p] = best;
      taken[best] = true;
      for (int i = 0; i < d.length; i++) {
        d[i] = Math.min(d[i], dissimilarity.between(i, best));
      }
    }
    return picks;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void lazyPicksEqualPlainPicksForAnyDissimilarity(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int n = 300;
    // A random symmetric table: no triangle inequality, and many ties.
    double[][] table = new double[n][n];
    double[] nearest = new double[n];
    for (int i = 0; i < n; i++) {
      nearest[i] = random.nextInt(50);
      for (int j = 0; j < i; j++) {
        table[i][j] = random.nextInt(40);
        table[j][i] = table[i][j];
      }
    }
    Dissimilarity dissimilarity = (i, j) -> table[i][j];
    for (double[] start : new double[][] {nearest, withoutCentres(n)}) {
      KCenterGreedy.Picks lazy = KCenterGreedy.pick(start, dissimilarity, n, PickConstraint.NONE);
      assertArrayEquals(plain(start, dissimilarity, n), lazy.indices());
    }
  }

  private static double[] withoutCentres(int n) {
    double[] result = new double[n];
    Arrays.fill(result, Double.POSITIVE_INFINITY);
    return result;
  }

  @Test
  void needsFewComparisonsWithManyFeatures() {
    SplittableRandom random = new SplittableRandom(4);
    int n = 5_000;
    FloatMatrix rows = FloatMatrix.zeros(n, 64);
    double[] fromOrigin = new double[n];
    for (int i = 0; i < n; i++) {
      for (int d = 0; d < 64; d++) {
        rows.set(i, d, (float) Math.max(0, random.nextDouble() - 0.4));
      }
      fromOrigin[i] = Kernels.squaredDistance(rows.row(i), new float[64]);
    }
    KCenterGreedy.Picks picks =
        KCenterGreedy.pick(
            fromOrigin,
            (i, j) -> Kernels.squaredDistance(rows.row(i), rows.row(j)),
            100,
            PickConstraint.NONE);
    assertTrue(picks.comparisons() < 0.5 * n * 100, picks.comparisons() + " comparisons");
    assertEquals(100, Arrays.stream(picks.indices()).distinct().count());
  }
}
