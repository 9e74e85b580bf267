package org.alfamix.learn.embed;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;

/**
 * The first right singular vectors of a sparse matrix, by a randomized method: power iterations
 * turn a random subspace into nearly that of the first left singular vectors.
 *
 * <p>N. Halko, P.-G. Martinsson and J. A. Tropp, "Finding structure with randomness: probabilistic
 * algorithms for constructing approximate matrix decompositions", SIAM Review 53, 2011.
 */
final class TruncatedSvd {
  private static final int OVERSAMPLING = 16;
  private static final int POWER_ITERATIONS = 5;
  private static final int BLOCK = 256;
  private static final int MAX_SWEEPS = 30;

  /** Directions with a smaller share of the largest eigenvalue are rounding errors. */
  private static final double NEGLIGIBLE = 1e-9;

  private TruncatedSvd() {}

  /** Returns the singular vectors as columns: columns of the matrix × at most {@code count}. */
  static FloatMatrix rightVectors(SparseRows matrix, int count, long seed) {
    int rank = Math.min(Math.min(matrix.rows(), matrix.columns()), count + OVERSAMPLING);
    SparseRows transposed = matrix.transposed();
    // Only matrices with a row per item are orthonormalized: there may be many more columns.
    FloatMatrix range = orthonormal(gaussian(matrix.rows(), rank, seed));
    for (int i = 0; i < POWER_ITERATIONS; i++) {
      range = orthonormal(matrix.times(transposed.times(range)));
    }
    FloatMatrix vectors = orthonormal(transposed.times(range));
    int kept = Math.min(count, vectors.columns());
    FloatMatrix first = FloatMatrix.zeros(vectors.rows(), kept);
    for (int i = 0; i < vectors.rows(); i++) {
      System.arraycopy(
          vectors.array(), vectors.rowOffset(i), first.array(), first.rowOffset(i), kept);
    }
    return first;
  }

  private static FloatMatrix gaussian(int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FloatMatrix matrix = FloatMatrix.zeros(rows, columns);
    for (int i = 0; i < matrix.array().length; i++) {
      matrix.array()[i] = (float) random.nextGaussian();
    }
    return matrix;
  }

  /**
   * Returns the left singular vectors of a matrix with many rows and few columns, by decreasing
   * singular value, from the eigenvectors of its Gram matrix. Negligible directions are dropped.
   */
  static FloatMatrix orthonormal(FloatMatrix matrix) {
    int k = matrix.columns();
    double[][] gram = gram(matrix);
    double[][] vectors = eigenvectors(gram);
    double[] values = IntStream.range(0, k).mapToDouble(j -> gram[j][j]).toArray();
    double least = NEGLIGIBLE * Arrays.stream(values).max().orElse(0);
    int[] order =
        IntStream.range(0, k)
            .boxed()
            .sorted((a, b) -> Double.compare(values[b], values[a]))
            .mapToInt(Integer::intValue)
            .filter(j -> values[j] > least)
            .toArray();
    FloatMatrix rotation = FloatMatrix.zeros(k, order.length);
    for (int column = 0; column < order.length; column++) {
      double scale = 1 / Math.sqrt(values[order[column]]);
      for (int i = 0; i < k; i++) {
        rotation.set(i, column, (float) (vectors[i][order[column]] * scale));
      }
    }
    FloatMatrix result = FloatMatrix.zeros(matrix.rows(), order.length);
    Parallel.forBlocks(
        matrix.rows(),
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            for (int d = 0; d < k; d++) {
              Kernels.axpy(
                  matrix.get(i, d),
                  rotation.array(),
                  rotation.rowOffset(d),
                  result.array(),
                  result.rowOffset(i),
                  order.length);
            }
          }
        });
    return result;
  }

  /** Returns the inner products of all columns, added in the order of the blocks. */
  private static double[][] gram(FloatMatrix matrix) {
    int k = matrix.columns();
    int blocks = (matrix.rows() + BLOCK - 1) / BLOCK;
    double[][] sum = new double[k][k];
    // A few blocks at a time bound the memory.
    int together = 32;
    for (int first = 0; first < blocks; first += together) {
      int start = first;
      double[][][] parts = new double[Math.min(together, blocks - first)][][];
      Parallel.forBlocks(
          parts.length,
          1,
          (from, to) -> {
            for (int b = from; b < to; b++) {
              parts[b] =
                  gram(
                      matrix,
                      (start + b) * BLOCK,
                      Math.min(matrix.rows(), (start + b + 1) * BLOCK));
            }
          });
      for (double[][] part : parts) {
        for (int a = 0; a < k; a++) {
          for (int b = a; b < k; b++) {
            sum[a][b] += part[a][b];
          }
        }
      }
    }
    for (int a = 0; a < k; a++) {
      for (int b = 0; b < a; b++) {
        sum[a][b] = sum[b][a];
      }
    }
    return sum;
  }

  private static double[][] gram(FloatMatrix matrix, int from, int to) {
    int k = matrix.columns();
    double[][] sum = new double[k][k];
    for (int i = from; i < to; i++) {
      int row = matrix.rowOffset(i);
      for (int a = 0; a < k; a++) {
        double value = matrix.array()[row + a];
        double[] target = sum[a];
        for (int b = a; b < k; b++) {
          target[b] += value * matrix.array()[row + b];
        }
      }
    }
    return sum;
  }

  /**
   * Diagonalizes a symmetric matrix in place by Jacobi's rotations, and returns its eigenvectors as
   * columns.
   */
  static double[][] eigenvectors(double[][] matrix) {
    int k = matrix.length;
    // Rows are contiguous, so the eigenvectors are rotated as rows and transposed at the end.
    double[][] rows = new double[k][k];
    for (int i = 0; i < k; i++) {
      rows[i][i] = 1;
    }
    for (int sweep = 0; sweep < MAX_SWEEPS && !isDiagonal(matrix); sweep++) {
      for (int p = 0; p < k - 1; p++) {
        for (int q = p + 1; q < k; q++) {
          rotate(matrix, rows, p, q);
        }
      }
    }
    double[][] columns = new double[k][k];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j < k; j++) {
        columns[j][i] = rows[i][j];
      }
    }
    return columns;
  }

  private static boolean isDiagonal(double[][] matrix) {
    double diagonal = 0;
    double others = 0;
    for (int i = 0; i < matrix.length; i++) {
      diagonal += matrix[i][i] * matrix[i][i];
      for (int j = 0; j < i; j++) {
        others += matrix[i][j] * matrix[i][j];
      }
    }
    return others <= 1e-24 * diagonal;
  }

  private static void rotate(double[][] matrix, double[][] rows, int p, int q) {
    double off = matrix[p][q];
    if (Math.abs(off) <= 1e-18 * Math.sqrt(Math.abs(matrix[p][p] * matrix[q][q]))) {
      return;
    }
    double theta = (matrix[q][q] - matrix[p][p]) / (2 * off);
    double t = Math.copySign(1, theta) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
    double c = 1 / Math.sqrt(t * t + 1);
    double s = t * c;
    rotate(matrix[p], matrix[q], c, s);
    for (double[] row : matrix) {
      double a = row[p];
      double b = row[q];
      row[p] = c * a - s * b;
      row[q] = s * a + c * b;
    }
    rotate(rows[p], rows[q], c, s);
  }

  private static void rotate(double[] one, double[] other, double c, double s) {
    for (int i = 0; i < one.length; i++) {
      double a = one[i];
      double b = other[i];
      one[i] = c * a - s * b;
      other[i] = s * a + c * b;
    }
  }
}
