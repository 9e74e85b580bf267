package org.alfamix.cluster;

import java.util.Arrays;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;
import org.alfamix.math.Scratch;

/**
 * Lloyd's iteration with centres as vectors: block products of the moved centres with the points.
 */
final class DenseLloyd extends Lloyd {
  private static final int BLOCK = 512;
  private static final int TILE = 64;

  /** Members summed in one go: sums of sums keep the rounding error of large clusters small. */
  private static final int GROUP = 128;

  private final FloatMatrix rows;
  private final PackedRows packed;

  DenseLloyd(DensePoints points, int clusters, GreedySeeding seeding) {
    super(points, clusters, seeding);
    this.rows = points.coordinates(0, points.size());
    this.packed = points.packed();
    Arrays.fill(scales, 1);
  }

  @Override
  void moveCentres(int[] changed) {
    FloatMatrix centres = FloatMatrix.zeros(changed.length, rows.columns());
    Parallel.forBlocks(
        changed.length,
        16,
        (from, to) -> {
          for (int c = from; c < to; c++) {
            average(changed[c], centres.array(), centres.rowOffset(c));
          }
        });
    Parallel.forBlocks(rows.rows(), BLOCK, (from, to) -> multiply(centres, changed, from, to));
  }

  private void average(int cluster, float[] centres, int centre) {
    int columns = rows.columns();
    float[] group = new float[columns];
    for (int start = starts[cluster]; start < starts[cluster + 1]; start += GROUP) {
      Arrays.fill(group, 0);
      int end = Math.min(starts[cluster + 1], start + GROUP);
      for (int m = start; m < end; m++) {
        Kernels.axpy(1, rows.array(), rows.rowOffset(members[m]), group, 0, columns);
      }
      Kernels.axpy(1f / sizes[cluster], group, 0, centres, centre, columns);
    }
    squaredNorms[cluster] = Kernels.dot(centres, centre, centres, centre, columns);
  }

  private void multiply(FloatMatrix centres, int[] changed, int from, int to) {
    int stride = packed.stride(from, to);
    float[] block = Scratch.floats(Math.min(TILE, centres.rows()) * stride);
    for (int tile = 0; tile < centres.rows(); tile += TILE) {
      int end = Math.min(centres.rows(), tile + TILE);
      Kernels.dots(centres.slice(tile, end), packed, from, to, block);
      for (int c = tile; c < end; c++) {
        int row = changed[c] * rows.rows() + from;
        System.arraycopy(block, (c - tile) * stride, products, row, to - from);
      }
    }
  }
}
