package org.alfamix.cluster;

import java.util.Arrays;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;
import org.alfamix.math.Scratch;

/**
 * Greedy k-center by Euclidean distance: picks again and again the point that is farthest from all
 * centres there are and from everything picked so far. Dissimilarities are squared distances.
 */
public final class EuclideanCover {
  private static final int BLOCK = 512;

  private final FloatMatrix points;
  private final double[] nearest;

  /**
   * Measures the distance of every point to its nearest centre.
   *
   * @param centres may be none; every point is then infinitely far
   */
  public EuclideanCover(FloatMatrix points, FloatMatrix centres) {
    this.points = points;
    this.nearest = squaredDistancesToNearest(points, centres);
  }

  /** Picks {@code count} distinct points. */
  public KCenterGreedy.Picks pick(int count) {
    return KCenterGreedy.pick(nearest, (i, j) -> squaredDistance(points, i, points, j), count);
  }

  /**
   * The nearest centre by a block product: ‖z − c‖² is least where ⟨z, c⟩ − ½‖c‖² is largest. Its
   * distance is then measured directly, without cancellation.
   *
   * @return for every point its squared distance; infinite where there are no centres
   */
  public static double[] squaredDistancesToNearest(FloatMatrix points, FloatMatrix centres) {
    double[] result = new double[points.rows()];
    Arrays.fill(result, Double.POSITIVE_INFINITY);
    if (centres.rows() == 0) {
      return result;
    }
    float[] shift = Kernels.squaredRowNorms(centres);
    for (int c = 0; c < shift.length; c++) {
      shift[c] *= -0.5f;
    }
    PackedRows packed = Kernels.pack(centres);
    int stride = packed.stride();
    Parallel.forBlocks(
        points.rows(),
        BLOCK,
        (from, to) -> {
          float[] products = Scratch.floats((to - from) * stride);
          Kernels.dots(points.slice(from, to), packed, products);
          for (int i = from; i < to; i++) {
            int row = (i - from) * stride;
            Kernels.axpy(1, shift, 0, products, row, shift.length);
            int nearest = Kernels.argmax(products, row, shift.length);
            result[i] = squaredDistance(points, i, centres, nearest);
          }
        });
    return result;
  }

  private static float squaredDistance(FloatMatrix a, int i, FloatMatrix b, int j) {
    return Kernels.squaredDistance(
        a.array(), a.rowOffset(i), b.array(), b.rowOffset(j), a.columns());
  }
}
