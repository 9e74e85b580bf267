package org.alfamix.projection;

import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;

/**
 * The first two principal components of points, by power iteration on the centred points without
 * computing the covariance matrix.
 */
public final class Pca {
  private static final int DIMENSIONS = 2;
  private static final int MAX_STEPS = 500;
  private static final double TOLERANCE = 1e-10;

  private Pca() {}

  /** Returns two coordinates for every row. The largest loading of each axis is positive. */
  public static double[][] plane(FloatMatrix points) {
    FloatMatrix centred = points.minus(points.columnMeans());
    double[][] axes = new double[DIMENSIONS][];
    for (int a = 0; a < DIMENSIONS; a++) {
      axes[a] = axis(centred, axes, a);
    }
    double[][] plane = new double[points.rows()][DIMENSIONS];
    for (int i = 0; i < points.rows(); i++) {
      for (int a = 0; a < DIMENSIONS; a++) {
        plane[i][a] = dot(centred, i, axes[a]);
      }
    }
    return plane;
  }

  private static double[] axis(FloatMatrix centred, double[][] before, int count) {
    SplittableRandom random = new SplittableRandom(count);
    double[] axis = new double[centred.columns()];
    for (int d = 0; d < axis.length; d++) {
      axis[d] = random.nextDouble() - 0.5;
    }
    normalize(axis, before, count);
    for (int step = 0; step < MAX_STEPS; step++) {
      double[] next = new double[axis.length];
      for (int i = 0; i < centred.rows(); i++) {
        double along = dot(centred, i, axis);
        for (int d = 0; d < next.length; d++) {
          next[d] += along * centred.get(i, d);
        }
      }
      if (!normalize(next, before, count)) {
        return new double[axis.length]; // the points lie in fewer dimensions
      }
      double cosine = 0;
      for (int d = 0; d < next.length; d++) {
        cosine += next[d] * axis[d];
      }
      axis = next;
      if (1 - Math.abs(cosine) < TOLERANCE) {
        break;
      }
    }
    int largest = 0;
    for (int d = 1; d < axis.length; d++) {
      largest = Math.abs(axis[d]) > Math.abs(axis[largest]) ? d : largest;
    }
    if (axis[largest] < 0) {
      for (int d = 0; d < axis.length; d++) {
        axis[d] = -axis[d];
      }
    }
    return axis;
  }

  /**
   * Orthogonalizes an axis to the earlier ones and scales it to length 1; returns false if it
   * vanishes.
   */
  private static boolean normalize(double[] axis, double[][] before, int count) {
    for (int b = 0; b < count; b++) {
      double along = 0;
      for (int d = 0; d < axis.length; d++) {
        along += axis[d] * before[b][d];
      }
      for (int d = 0; d < axis.length; d++) {
        axis[d] -= along * before[b][d];
      }
    }
    double squared = 0;
    for (double value : axis) {
      squared += value * value;
    }
    if (squared < 1e-24) {
      return false;
    }
    double length = Math.sqrt(squared);
    for (int d = 0; d < axis.length; d++) {
      axis[d] /= length;
    }
    return true;
  }

  private static double dot(FloatMatrix points, int row, double[] axis) {
    double sum = 0;
    for (int d = 0; d < axis.length; d++) {
      sum += axis[d] * points.get(row, d);
    }
    return sum;
  }
}
