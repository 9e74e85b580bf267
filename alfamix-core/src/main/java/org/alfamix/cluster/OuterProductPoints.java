package org.alfamix.cluster;

import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;

/**
 * Points that are outer products c ⊗ z of two vectors, without storing the products.
 *
 * <p>⟨c ⊗ z, c' ⊗ z'⟩ = ⟨c, c'⟩ · ⟨z, z'⟩, so with K and D coordinates a distance costs K + D
 * multiplications instead of K · D, and N points need N · (K + D) floats instead of N · K · D.
 */
public final class OuterProductPoints implements Points {
  private static final int BLOCK = 512;

  /** Relative slack of a bound, well above the rounding error of float. */
  private static final float SLACK = 1e-4f;

  /** Relative error of a norm, with a margin: norms that differ by less may be equal. */
  private static final float NORM_ERROR = 1e-6f;

  /**
   * A squared distance below this share of the two squared norms has too few correct digits in
   * float.
   */
  private static final float CANCELLATION = 1e-3f;

  private final FloatMatrix left;
  private final FloatMatrix right;
  private final DensePoints leftPoints;
  private final DensePoints rightPoints;
  private final float[] rightNorms;
  private final float[] norms;

  /**
   * Creates the points: point i is the outer product of row i of {@code left} and row i of {@code
   * right}.
   */
  public OuterProductPoints(FloatMatrix left, FloatMatrix right) {
    if (left.rows() != right.rows()) {
      throw new IllegalArgumentException(
          "Numbers of rows differ: " + left.rows() + " != " + right.rows() + ".");
    }
    this.left = left;
    this.right = right;
    this.leftPoints = new DensePoints(left);
    this.rightPoints = new DensePoints(right);
    this.rightNorms = new float[left.rows()];
    this.norms = new float[left.rows()];
    for (int i = 0; i < norms.length; i++) {
      rightNorms[i] = (float) Math.sqrt(rightPoints.squaredNorm(i));
      norms[i] = (float) Math.sqrt(leftPoints.squaredNorm(i)) * rightNorms[i];
    }
  }

  @Override
  public int size() {
    return left.rows();
  }

  @Override
  public int dimension() {
    return Math.multiplyExact(left.columns(), right.columns());
  }

  @Override
  public float squaredNorm(int i) {
    return leftPoints.squaredNorm(i) * rightPoints.squaredNorm(i);
  }

  @Override
  public void products(int[] indices, float[] out) {
    float[] other = new float[Math.multiplyExact(indices.length, size())];
    leftPoints.products(indices, out);
    rightPoints.products(indices, other);
    Parallel.forBlocks(
        other.length,
        1 << 16,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            out[i] *= other[i];
          }
        });
  }

  /**
   * {@inheritDoc}
   *
   * <p>Two bounds avoid most of the long products. The distance is at least the difference of the
   * norms. By the Cauchy–Schwarz inequality, |⟨c ⊗ z, c' ⊗ z'⟩| ≤ |⟨c, c'⟩| ‖z‖ ‖z'‖, which is far
   * below the product of the norms for two items of different predicted classes.
   */
  @Override
  public void lowerDistances(int centre, float[] least) {
    int c = left.rowOffset(centre);
    int z = right.rowOffset(centre);
    float squaredNorm = squaredNorm(centre);
    Parallel.forBlocks(
        size(),
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            float difference =
                Math.abs(norms[i] - norms[centre]) - NORM_ERROR * (norms[i] + norms[centre]);
            float limit = least[i] * (1 + SLACK);
            if (difference > 0 && difference * difference >= limit) {
              continue;
            }
            float leftProduct =
                Kernels.dot(left.array(), left.rowOffset(i), left.array(), c, left.columns());
            float sum = squaredNorm(i) + squaredNorm;
            if (sum * (1 - SLACK) - 2 * Math.abs(leftProduct) * rightNorms[i] * rightNorms[centre]
                >= limit) {
              continue;
            }
            float rightProduct =
                Kernels.dot(right.array(), right.rowOffset(i), right.array(), z, right.columns());
            float distance = sum - 2 * leftProduct * rightProduct;
            if (distance < CANCELLATION * sum) {
              distance = squaredDistanceInDouble(i, centre);
            }
            least[i] = Math.min(least[i], distance);
          }
        });
  }

  /** Returns ‖c ⊗ z − c' ⊗ z'‖² of two points that are nearly equal or far from the origin. */
  private float squaredDistanceInDouble(int i, int j) {
    double[] l = innerProducts(left, i, j);
    double[] r = innerProducts(right, i, j);
    return (float) Math.max(0, l[0] * r[0] + l[1] * r[1] - 2 * l[2] * r[2]);
  }

  /** Returns ⟨a, a⟩, ⟨b, b⟩ and ⟨a, b⟩ of two rows. */
  private static double[] innerProducts(FloatMatrix rows, int i, int j) {
    double aa = 0;
    double bb = 0;
    double ab = 0;
    float[] x = rows.array();
    int from = rows.rowOffset(i);
    int other = rows.rowOffset(j);
    for (int d = 0; d < rows.columns(); d++) {
      double a = x[from + d];
      double b = x[other + d];
      aa += a * a;
      bb += b * b;
      ab += a * b;
    }
    return new double[] {aa, bb, ab};
  }

  @Override
  public FloatMatrix coordinates(int from, int to) {
    FloatMatrix result = FloatMatrix.zeros(to - from, dimension());
    for (int i = from; i < to; i++) {
      int at = result.rowOffset(i - from);
      for (int k = 0; k < left.columns(); k++, at += right.columns()) {
        Kernels.axpy(
            left.get(i, k), right.array(), right.rowOffset(i), result.array(), at, right.columns());
      }
    }
    return result;
  }
}
