package org.alfamix.cluster;

import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;
import org.alfamix.math.Scratch;

/** The rows of a matrix as points. */
public final class DensePoints implements Points {
  private static final int BLOCK = 512;

  private final FloatMatrix rows;
  private final float[] squaredNorms;
  private volatile PackedRows packed;

  public DensePoints(FloatMatrix rows) {
    this.rows = rows;
    this.squaredNorms = Kernels.squaredRowNorms(rows);
  }

  @Override
  public int size() {
    return rows.rows();
  }

  @Override
  public int dimension() {
    return rows.columns();
  }

  @Override
  public float squaredNorm(int i) {
    return squaredNorms[i];
  }

  @Override
  public void products(int[] indices, float[] out) {
    products(rows.gather(indices), out);
  }

  /** Inner products of arbitrary vectors with all points: {@code out[k · size() + i]}. */
  void products(FloatMatrix vectors, float[] out) {
    PackedRows points = packed();
    Parallel.forBlocks(
        size(),
        BLOCK,
        (from, to) -> {
          int stride = points.stride(from, to);
          float[] block = Scratch.floats(vectors.rows() * stride);
          Kernels.dots(vectors, points, from, to, block);
          for (int k = 0; k < vectors.rows(); k++) {
            System.arraycopy(block, k * stride, out, k * size() + from, to - from);
          }
        });
  }

  @Override
  public void lowerDistances(int centre, float[] least) {
    float[] x = rows.array();
    int columns = rows.columns();
    Parallel.forBlocks(
        size(),
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            float distance =
                Kernels.squaredDistance(x, rows.rowOffset(i), x, rows.rowOffset(centre), columns);
            least[i] = Math.min(least[i], distance);
          }
        });
  }

  @Override
  public FloatMatrix coordinates(int from, int to) {
    return rows.slice(from, to);
  }

  /** The points, packed on first use: only seeding in bulk and Lloyd's steps want them so. */
  PackedRows packed() {
    PackedRows result = packed;
    if (result == null) {
      result = Kernels.pack(rows);
      packed = result;
    }
    return result;
  }
}
