package org.alfamix.cluster;

import java.util.Arrays;
import org.alfamix.internal.Scratch;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;

/**
 * Greedy k-center by Euclidean distance: repeatedly picks the point that is farthest from all
 * existing centres and all earlier picks. Dissimilarities are squared distances.
 */
public final class EuclideanCover {
  private static final int BLOCK = 512;

  /** Half of the distance from 1 to the next float. */
  private static final float ROUNDING = 0x1p-24f;

  private final FloatMatrix points;
  private final double[] nearest;

  /**
   * Computes the distance of every point to its nearest centre.
   *
   * @param centres the existing centres; without any, every point is at an infinite distance
   */
  public EuclideanCover(FloatMatrix points, FloatMatrix centres) {
    this.points = points;
    this.nearest = squaredDistancesToNearest(points, centres);
  }

  /** Picks {@code count} distinct points, or fewer if the constraint rejects all others. */
  public KCenterGreedy.Picks pick(int count, PickConstraint constraint) {
    return KCenterGreedy.pick(
        nearest, (i, j) -> squaredDistance(points, i, points, j), count, constraint);
  }

  /**
   * Returns the squared distance of every point to its nearest centre. ‖z − c‖² is smallest for the
   * centre with the largest ⟨z, c⟩ − ½‖c‖², and one block product computes this for all pairs.
   * Points and centres are first shifted by the mean of the centres, because a large common offset
   * would cancel all digits. The distances to all centres within the rounding error of the best one
   * are then computed directly.
   *
   * @return the squared distance of every point; infinite if there are no centres
   */
  public static double[] squaredDistancesToNearest(FloatMatrix points, FloatMatrix centres) {
    double[] result = new double[points.rows()];
    Arrays.fill(result, Double.POSITIVE_INFINITY);
    if (centres.rows() == 0) {
      return result;
    }
    CentredCentres shifted = CentredCentres.of(centres);
    int stride = shifted.packed().stride();
    Parallel.forBlocks(
        points.rows(),
        BLOCK,
        (from, to) -> {
          float[] products = Scratch.floats((to - from) * stride);
          FloatMatrix block = points.slice(from, to).minus(shifted.mean());
          Kernels.dots(block, shifted.packed(), products);
          for (int i = from; i < to; i++) {
            float norm = (float) Math.sqrt(Kernels.squaredNorm(block, i - from));
            result[i] = shifted.nearest(points, i, norm, products, (i - from) * stride);
          }
        });
    return result;
  }

  /**
   * Centres minus their mean, packed for block products.
   *
   * @param original the centres before the shift
   * @param halfSquares −½‖c‖² of each centre
   * @param longest the largest of the norms
   * @param error relative error of an inner product
   */
  private record CentredCentres(
      FloatMatrix original,
      float[] mean,
      PackedRows packed,
      float[] halfSquares,
      float[] norms,
      float longest,
      float error) {

    static CentredCentres of(FloatMatrix centres) {
      float[] mean = centres.columnMeans();
      FloatMatrix centred = centres.minus(mean);
      float[] halfSquares = Kernels.squaredRowNorms(centred);
      float[] norms = new float[halfSquares.length];
      float longest = 0;
      for (int c = 0; c < norms.length; c++) {
        norms[c] = (float) Math.sqrt(halfSquares[c]);
        longest = Math.max(longest, norms[c]);
        halfSquares[c] *= -0.5f;
      }
      // The error of an inner product of D values is at most D roundings of ‖z‖ · ‖c‖; eight more
      // cover the subtraction of the mean and the norms.
      float error = (centres.columns() + 8) * ROUNDING;
      PackedRows packed = Kernels.pack(centred);
      return new CentredCentres(centres, mean, packed, halfSquares, norms, longest, error);
    }

    /**
     * Returns the squared distance of a point to the nearest centre.
     *
     * @param norm norm of the shifted point
     * @param products inner products of the shifted point with all centres, from {@code row} on
     */
    float nearest(FloatMatrix points, int i, float norm, float[] products, int row) {
      int best = 0;
      float most = Float.NEGATIVE_INFINITY;
      float second = Float.NEGATIVE_INFINITY;
      for (int c = 0; c < norms.length; c++) {
        float value = products[row + c] + halfSquares[c];
        if (value > second) {
          second = Math.min(value, most);
          best = value > most ? c : best;
          most = Math.max(value, most);
        }
      }
      float least = most - error * magnitude(norm, norms[best]);
      float nearest = squaredDistance(points, i, original, best);
      // Usually the gap to the second best exceeds the rounding error.
      if (second >= least - error * magnitude(norm, longest)) {
        for (int c = 0; c < norms.length; c++) {
          float value = products[row + c] + halfSquares[c];
          if (value + error * magnitude(norm, norms[c]) >= least) {
            nearest = Math.min(nearest, squaredDistance(points, i, original, c));
          }
        }
      }
      return nearest;
    }

    /** Returns the magnitude of the compared terms, ‖z‖ · ‖c‖ + ½‖c‖². */
    private static float magnitude(float pointNorm, float centreNorm) {
      return centreNorm * (pointNorm + 0.5f * centreNorm);
    }
  }

  private static float squaredDistance(FloatMatrix a, int i, FloatMatrix b, int j) {
    return Kernels.squaredDistance(
        a.array(), a.rowOffset(i), b.array(), b.rowOffset(j), a.columns());
  }
}
