package org.alfamix.cluster;

import java.util.Arrays;
import org.alfamix.internal.Scratch;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;

/**
 * Lloyd's iteration for thousands of centres: a point is compared only with its own centre and the
 * centres nearest to that one. A point rarely leaves this neighbourhood in one step, so the loss in
 * quality is small, and the cost does not grow with points × centres.
 *
 * <p>Based on J. Wang, J. Wang, Q. Ke, G. Zeng and S. Li, "Fast approximate k-means via cluster
 * closures", CVPR 2012, which searches the clusters of a point's neighbours.
 */
final class NeighbourLloyd extends Lloyd {
  /** Number of centres that a point is compared with. */
  static final int NEIGHBOURS = 256;

  private static final int BLOCK = 64;

  private final DensePoints points;
  private final FloatMatrix centres;

  NeighbourLloyd(DensePoints points, int clusters, Assignment start) {
    super(points, clusters, start);
    this.points = points;
    this.centres = FloatMatrix.zeros(clusters, points.dimension());
  }

  @Override
  void moveCentres(int[] changed) {
    StreamingLloyd.moveCentres(this, points, changed, centres);
  }

  @Override
  void offerCentres(int from, int to) {
    throw new IllegalStateException("This class assigns points cluster by cluster.");
  }

  @Override
  void assign() {
    PackedRows packed = Kernels.pack(centres);
    FloatMatrix rows = points.coordinates(0, points.size());
    int dimension = points.dimension();
    Parallel.forBlocks(
        clusters,
        BLOCK,
        (from, to) -> {
          float[] products = Scratch.floats((to - from) * packed.stride());
          Kernels.dots(centres.slice(from, to), packed, products);
          long[] keys = new long[clusters];
          for (int j = from; j < to; j++) {
            int[] near = nearest(products, (j - from) * packed.stride(), keys);
            // Each point belongs to one cluster, so no two threads write to the same point.
            for (int m = starts[j]; m < starts[j + 1]; m++) {
              assign(members[m], near, rows, dimension);
            }
          }
        });
  }

  /**
   * Returns the centres nearest to a centre, including itself, given its products with all centres.
   */
  private int[] nearest(float[] products, int offset, long[] keys) {
    float least = Float.POSITIVE_INFINITY;
    for (int c = 0; c < clusters; c++) {
      least = Math.min(least, squaredNorms[c] - 2 * products[offset + c]);
    }
    for (int c = 0; c < clusters; c++) {
      // Nonnegative floats have the same order as their bits.
      float distance = Math.max(0, squaredNorms[c] - 2 * products[offset + c] - least);
      keys[c] = (long) Float.floatToRawIntBits(distance) << 32 | c;
    }
    selectSmallest(keys, NEIGHBOURS);
    int[] result = new int[NEIGHBOURS];
    for (int c = 0; c < NEIGHBOURS; c++) {
      result[c] = (int) keys[c];
    }
    // Sorted, so that ties go to the lower index as in the other classes.
    Arrays.sort(result);
    return result;
  }

  /** Moves the smallest keys to the front (quickselect with the middle as pivot). */
  static void selectSmallest(long[] keys, int count) {
    int low = 0;
    int high = keys.length - 1;
    while (low < high) {
      long pivot = keys[(low + high) >>> 1];
      int i = low;
      int j = high;
      while (i <= j) {
        while (keys[i] < pivot) {
          i++;
        }
        while (keys[j] > pivot) {
          j--;
        }
        if (i <= j) {
          long swap = keys[i];
          keys[i++] = keys[j];
          keys[j--] = swap;
        }
      }
      if (count - 1 <= j) {
        high = j;
      } else if (count - 1 >= i) {
        low = i;
      } else {
        return;
      }
    }
  }

  private void assign(int point, int[] near, FloatMatrix rows, int dimension) {
    float best = Float.POSITIVE_INFINITY;
    for (int c : near) {
      float product =
          Kernels.dot(
              rows.array(),
              rows.rowOffset(point),
              centres.array(),
              centres.rowOffset(c),
              dimension);
      float distance = squaredNorms[c] - 2 * product;
      if (distance < best) {
        best = distance;
        assignment[point] = c;
      }
    }
    least[point] = best;
  }
}
