package org.alfamix.cluster;

import org.alfamix.internal.Scratch;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;

/** The inner products of all pairs of points, as a full symmetric matrix. */
final class GramMatrix {
  private static final int BLOCK = 128;

  private final float[] values;
  private final int size;

  private GramMatrix(float[] values, int size) {
    this.values = values;
    this.size = size;
  }

  static GramMatrix of(Points points) {
    int n = points.size();
    float[] values = new float[Math.multiplyExact(n, n)];
    if (points instanceof DensePoints dense) {
      fillSymmetric(dense, values);
    } else {
      float[] block = new float[BLOCK * n];
      for (int from = 0; from < n; from += BLOCK) {
        int[] indices = range(from, Math.min(n, from + BLOCK));
        points.products(indices, block);
        System.arraycopy(block, 0, values, from * n, indices.length * n);
      }
    }
    return new GramMatrix(values, n);
  }

  /** Computes the blocks on and above the diagonal and mirrors them. */
  private static void fillSymmetric(DensePoints points, float[] values) {
    int n = points.size();
    PackedRows packed = points.packed();
    FloatMatrix rows = points.coordinates(0, n);
    Parallel.forBlocks(
        n,
        BLOCK,
        (from, to) -> {
          float[] block = Scratch.floats((to - from) * packed.stride(0, Math.min(n, BLOCK)));
          for (int column = from; column < n; column += BLOCK) {
            int end = Math.min(n, column + BLOCK);
            int stride = packed.stride(column, end);
            Kernels.dots(rows.slice(from, to), packed, column, end, block);
            for (int i = from; i < to; i++) {
              System.arraycopy(block, (i - from) * stride, values, i * n + column, end - column);
            }
            for (int j = Math.max(column, to); j < end; j++) {
              for (int i = from; i < to; i++) {
                values[j * n + i] = block[(i - from) * stride + j - column];
              }
            }
          }
        });
  }

  private static int[] range(int from, int to) {
    int[] indices = new int[to - from];
    for (int i = 0; i < indices.length; i++) {
      indices[i] = from + i;
    }
    return indices;
  }

  int size() {
    return size;
  }

  /** Returns the values; row {@code i} starts at {@code i · size()}. */
  float[] array() {
    return values;
  }
}
