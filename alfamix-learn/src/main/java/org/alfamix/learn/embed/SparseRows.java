package org.alfamix.learn.embed;

import java.util.Arrays;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;

/**
 * A matrix with few non-zero values per row: the columns and values of each row, one row after the
 * other.
 *
 * @param starts the position of the first value of each row, and of the end
 */
record SparseRows(int columns, int[] starts, int[] positions, float[] values) {
  private static final int BLOCK = 64;

  int rows() {
    return starts.length - 1;
  }

  /** Returns the transposed matrix; its rows are sorted by column. */
  SparseRows transposed() {
    int[] counts = new int[columns + 1];
    for (int position : positions) {
      counts[position + 1]++;
    }
    Arrays.parallelPrefix(counts, Integer::sum);
    int[] next = Arrays.copyOf(counts, columns);
    int[] rowOf = new int[positions.length];
    float[] moved = new float[values.length];
    for (int i = 0; i < rows(); i++) {
      for (int at = starts[i]; at < starts[i + 1]; at++) {
        int target = next[positions[at]]++;
        rowOf[target] = i;
        moved[target] = values[at];
      }
    }
    return new SparseRows(rows(), counts, rowOf, moved);
  }

  /** Returns the product with a dense matrix. Every row is summed in the same order. */
  FloatMatrix times(FloatMatrix dense) {
    FloatMatrix product = FloatMatrix.zeros(rows(), dense.columns());
    Parallel.forBlocks(
        rows(),
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            for (int at = starts[i]; at < starts[i + 1]; at++) {
              Kernels.axpy(
                  values[at],
                  dense.array(),
                  dense.rowOffset(positions[at]),
                  product.array(),
                  product.rowOffset(i),
                  dense.columns());
            }
          }
        });
    return product;
  }
}
