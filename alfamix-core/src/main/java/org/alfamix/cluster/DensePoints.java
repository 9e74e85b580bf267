package org.alfamix.cluster;

import org.alfamix.internal.Scratch;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;

/** The rows of a matrix as points. */
public final class DensePoints implements Points {
  /** Points per block of products; a multiple of any panel's width. */
  static final int BLOCK = 512;

  /** Vectors per tile: a tile times a block stays in the second-level cache. */
  private static final int TILE = 64;

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

  /** Returns a copy of the coordinates of these points. */
  FloatMatrix gather(int[] indices) {
    return rows.gather(indices);
  }

  /** Computes the inner products of any vectors with all points: {@code out[k · size() + i]}. */
  void products(FloatMatrix vectors, float[] out) {
    packed();
    Parallel.forBlocks(
        size(),
        BLOCK,
        (from, to) ->
            products(
                vectors,
                from,
                to,
                (k, block, offset) ->
                    System.arraycopy(block, offset, out, k * size() + from, to - from)));
  }

  /**
   * Receives the inner products of one vector with some points; the array is valid during the call.
   */
  @FunctionalInterface
  interface ProductRow {
    void accept(int vector, float[] products, int offset);
  }

  /**
   * Computes the inner products of the rows of {@code vectors} with the points {@code from} to
   * {@code to}, on this thread and tile by tile; {@code from} must be a multiple of {@link #BLOCK}.
   */
  void products(FloatMatrix vectors, int from, int to, ProductRow row) {
    PackedRows points = packed();
    int stride = points.stride(from, to);
    float[] block = Scratch.floats(Math.min(TILE, vectors.rows()) * stride);
    for (int tile = 0; tile < vectors.rows(); tile += TILE) {
      int end = Math.min(vectors.rows(), tile + TILE);
      Kernels.dots(vectors.slice(tile, end), points, from, to, block);
      for (int k = tile; k < end; k++) {
        row.accept(k, block, (k - tile) * stride);
      }
    }
  }

  /**
   * Assigns every point to the centre j with the smallest ‖c_j‖² − 2⟨x, c_j⟩, if that is below
   * {@code least} of the point: the value replaces {@code least}, and {@code firstId + j} replaces
   * {@code assignment}.
   */
  void assignNearest(FloatMatrix centres, int firstId, float[] least, int[] assignment) {
    float[] norms = Kernels.squaredRowNorms(centres);
    packed();
    Parallel.forBlocks(
        size(),
        BLOCK,
        (from, to) ->
            products(
                centres,
                from,
                to,
                (j, products, offset) ->
                    Kernels.lowerInto(
                        products, offset, -2, norms[j], least, assignment, firstId + j, from, to)));
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

  /**
   * Returns the packed points. They are packed on first use, because only bulk seeding and Lloyd's
   * iteration need them.
   */
  PackedRows packed() {
    PackedRows result = packed;
    if (result == null) {
      result = Kernels.pack(rows);
      packed = result;
    }
    return result;
  }
}
