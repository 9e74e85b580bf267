package org.alfamix.learn.embed;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.junit.jupiter.api.Test;

class TruncatedSvdTest {

  /** Returns a matrix of low rank with a few non-zero values per row. */
  private static SparseRows sparse(int rows, int columns, int topics, long seed) {
    Random random = new Random(seed);
    List<Integer> positions = new ArrayList<>();
    List<Float> values = new ArrayList<>();
    int[] starts = new int[rows + 1];
    for (int i = 0; i < rows; i++) {
      int topic = i % topics;
      for (int d = topic; d < columns; d += topics) {
        positions.add(d);
        values.add((topics - topic) * (1 + d) * 0.1f * (1 + random.nextInt(3)));
      }
      starts[i + 1] = positions.size();
    }
    float[] all = new float[values.size()];
    for (int v = 0; v < all.length; v++) {
      all[v] = values.get(v);
    }
    return new SparseRows(
        columns, starts, positions.stream().mapToInt(Integer::intValue).toArray(), all);
  }

  private static double[][] dense(SparseRows matrix) {
    double[][] dense = new double[matrix.rows()][matrix.columns()];
    for (int i = 0; i < matrix.rows(); i++) {
      for (int at = matrix.starts()[i]; at < matrix.starts()[i + 1]; at++) {
        dense[i][matrix.positions()[at]] += matrix.values()[at];
      }
    }
    return dense;
  }

  @Test
  void multipliesLikeADenseMatrix() {
    SparseRows matrix = sparse(7, 12, 3, 1);
    FloatMatrix factor = FloatMatrix.zeros(12, 5);
    for (int i = 0; i < factor.array().length; i++) {
      factor.array()[i] = i % 7 - 3;
    }
    FloatMatrix product = matrix.times(factor);
    double[][] dense = dense(matrix);
    for (int i = 0; i < 7; i++) {
      for (int j = 0; j < 5; j++) {
        double sum = 0;
        for (int d = 0; d < 12; d++) {
          sum += dense[i][d] * factor.get(d, j);
        }
        assertEquals(sum, product.get(i, j), 1e-3);
      }
    }
    double[][] transposed = dense(matrix.transposed());
    for (int i = 0; i < 7; i++) {
      for (int d = 0; d < 12; d++) {
        assertEquals(dense[i][d], transposed[d][i]);
      }
    }
  }

  @Test
  void eigenvectorsDiagonalizeASymmetricMatrix() {
    Random random = new Random(3);
    int k = 23;
    double[][] matrix = new double[k][k];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j <= i; j++) {
        matrix[i][j] = random.nextGaussian();
        matrix[j][i] = matrix[i][j];
      }
    }
    double[][] original = new double[k][];
    for (int i = 0; i < k; i++) {
      original[i] = matrix[i].clone();
    }
    double[][] vectors = TruncatedSvd.eigenvectors(matrix);
    for (int j = 0; j < k; j++) {
      for (int i = 0; i < k; i++) {
        double product = 0;
        for (int d = 0; d < k; d++) {
          product += original[i][d] * vectors[d][j];
        }
        assertEquals(matrix[j][j] * vectors[i][j], product, 1e-9);
      }
    }
  }

  /** The right singular vectors keep all of a matrix whose rank is at most their number. */
  @Test
  void vectorsSpanTheRowsOfAMatrixOfLowRank() {
    SparseRows matrix = sparse(60, 40, 4, 2);
    // Each topic has its own columns, and its rows differ by random factors: full rank per topic.
    FloatMatrix vectors = TruncatedSvd.rightVectors(matrix, 40, 1);
    double[][] rows = dense(matrix);
    FloatMatrix projected = matrix.times(vectors);
    for (int i = 0; i < rows.length; i++) {
      double length = 0;
      for (double value : rows[i]) {
        length += value * value;
      }
      double kept = 0;
      for (int j = 0; j < projected.columns(); j++) {
        kept += projected.get(i, j) * projected.get(i, j);
      }
      assertEquals(1, kept / length, 1e-3, "row " + i);
    }
  }

  @Test
  void vectorsAreOrthonormalAndSortedByImportance() {
    SparseRows matrix = sparse(200, 50, 5, 4);
    FloatMatrix vectors = TruncatedSvd.rightVectors(matrix, 6, 1);
    assertEquals(6, vectors.columns());
    for (int a = 0; a < 6; a++) {
      for (int b = 0; b <= a; b++) {
        double product = 0;
        for (int d = 0; d < 50; d++) {
          product += vectors.get(d, a) * vectors.get(d, b);
        }
        assertEquals(a == b ? 1 : 0, product, 1e-4, a + ", " + b);
      }
    }
    FloatMatrix projected = matrix.times(vectors);
    double before = Double.POSITIVE_INFINITY;
    for (int j = 0; j < 6; j++) {
      double energy = 0;
      for (int i = 0; i < 200; i++) {
        energy += projected.get(i, j) * projected.get(i, j);
      }
      assertTrue(energy <= before * 1.0001, "vector " + j);
      before = energy;
    }
  }

  @Test
  void resultsDoNotDependOnTheNumberOfThreads() {
    SparseRows matrix = sparse(700, 90, 7, 5);
    float[] one = Parallel.with(1, () -> TruncatedSvd.rightVectors(matrix, 9, 1)).array();
    float[] eight = Parallel.with(8, () -> TruncatedSvd.rightVectors(matrix, 9, 1)).array();
    assertArrayEquals(one, eight);
  }
}
