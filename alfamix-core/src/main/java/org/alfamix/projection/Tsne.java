package org.alfamix.projection;

import java.util.Arrays;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;

/**
 * t-SNE: a projection to the plane that keeps neighbouring points together.
 *
 * <p>L. van der Maaten and G. Hinton, "Visualizing data using t-SNE", JMLR 9, 2008.
 *
 * <p>All pairs are computed exactly: this takes seconds for the few thousand points that fit in a
 * plot, and the result is the same on any number of threads. The projection of {@link Pca} is the
 * initial position, so the result is deterministic.
 */
public final class Tsne {
  private static final int BLOCK = 32;
  private static final double EARLY_EXAGGERATION = 12;
  private static final double TINY = 1e-12;

  private final int size;
  private final double[] affinities;
  private final Options options;
  private final double[][] plane;
  private final double[][] velocity;
  private final double[][] gains;
  private final double[][] gradient;

  /**
   * Options of t-SNE.
   *
   * @param perplexity effective number of neighbours of a point
   * @param steps number of steps of gradient descent
   * @param earlySteps number of initial steps with early exaggeration (stronger attraction)
   */
  public record Options(double perplexity, int steps, int earlySteps) {
    public static final Options DEFAULT = new Options(30, 750, 250);

    public Options {
      if (!(perplexity >= 1) || steps < 1 || earlySteps < 0) {
        throw new IllegalArgumentException(
            "perplexity and steps must be at least 1 and earlySteps at least 0, got %s, %d and %d."
                .formatted(perplexity, steps, earlySteps));
      }
    }
  }

  private Tsne(FloatMatrix points, Options options) {
    this.size = points.rows();
    this.options = options;
    this.affinities = affinities(points, Math.min(options.perplexity(), (size - 1) / 3.0));
    this.plane = start(points);
    this.velocity = new double[size][2];
    this.gains = new double[size][2];
    Arrays.stream(gains).forEach(row -> Arrays.fill(row, 1));
    this.gradient = new double[size][2];
  }

  /** Returns two coordinates for every row. */
  public static double[][] plane(FloatMatrix points, Options options) {
    if (points.rows() < 4) {
      return Pca.plane(points);
    }
    return new Tsne(points, options).run();
  }

  /** Returns the initial positions: the principal components, scaled down. */
  private static double[][] start(FloatMatrix points) {
    double[][] plane = Pca.plane(points);
    double squared = 0;
    for (double[] point : plane) {
      squared += point[0] * point[0] / plane.length;
    }
    double scale = 1e-4 / Math.max(Math.sqrt(squared), TINY);
    for (double[] point : plane) {
      point[0] *= scale;
      point[1] *= scale;
    }
    return plane;
  }

  /** Returns the affinity of every pair of points; the sum of all affinities is 1. */
  private static double[] affinities(FloatMatrix rows, double perplexity) {
    // A shift changes no distance, but a large common offset would cost digits.
    FloatMatrix points = rows.minus(rows.columnMeans());
    int n = points.rows();
    float[] norms = Kernels.squaredRowNorms(points);
    PackedRows packed = Kernels.pack(points);
    int stride = packed.stride();
    float[] dots = new float[n * stride];
    Kernels.dots(points, packed, dots);
    double[] conditional = new double[n * n];
    Parallel.forBlocks(
        n,
        BLOCK,
        (from, to) -> {
          double[] distances = new double[n];
          for (int i = from; i < to; i++) {
            for (int j = 0; j < n; j++) {
              distances[j] = Math.max(0, norms[i] + norms[j] - 2 * dots[i * stride + j]);
            }
            fitBandwidth(distances, i, perplexity, conditional, i * n);
          }
        });
    double[] symmetric = new double[n * n];
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        symmetric[i * n + j] = (conditional[i * n + j] + conditional[j * n + i]) / (2.0 * n);
      }
    }
    return symmetric;
  }

  /**
   * Finds by bisection the kernel width with the given perplexity, and writes the conditional
   * affinities of a point.
   */
  private static void fitBandwidth(
      double[] distances, int self, double perplexity, double[] out, int offset) {
    double entropy = Math.log(perplexity);
    double least = Double.POSITIVE_INFINITY;
    for (int j = 0; j < distances.length; j++) {
      least = j == self ? least : Math.min(least, distances[j]);
    }
    double precision = 1;
    double low = 0;
    double high = Double.POSITIVE_INFINITY;
    for (int step = 0; step < 100; step++) {
      double sum = 0;
      double weighted = 0;
      for (int j = 0; j < distances.length; j++) {
        double weight = j == self ? 0 : Math.exp(-precision * (distances[j] - least));
        out[offset + j] = weight;
        sum += weight;
        weighted += weight * (distances[j] - least);
      }
      for (int j = 0; j < distances.length; j++) {
        out[offset + j] /= sum;
      }
      double excess = Math.log(sum) + precision * weighted / sum - entropy;
      if (Math.abs(excess) < 1e-5) {
        return;
      }
      if (excess > 0) {
        low = precision;
        precision = high == Double.POSITIVE_INFINITY ? 2 * precision : (low + high) / 2;
      } else {
        high = precision;
        precision = (low + high) / 2;
      }
    }
  }

  private double[][] run() {
    double rate = Math.max(size / EARLY_EXAGGERATION / 4, 50);
    for (int step = 0; step < options.steps(); step++) {
      boolean early = step < options.earlySteps();
      gradient(early ? EARLY_EXAGGERATION : 1);
      move(rate, early ? 0.5 : 0.8);
    }
    return plane;
  }

  /**
   * Computes the gradient. Points attract each other by their affinity and repel each other by
   * their proximity in the plane, divided by its sum over all pairs, which is known only after the
   * pass over all points.
   */
  private void gradient(double exaggeration) {
    double[] sums = new double[size];
    double[][] repulsion = new double[size][2];
    Parallel.forBlocks(
        size,
        BLOCK,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            sums[i] = forces(i, gradient[i], repulsion[i]);
          }
        });
    double total = Math.max(Arrays.stream(sums).sum(), TINY);
    for (int i = 0; i < size; i++) {
      for (int d = 0; d < 2; d++) {
        gradient[i][d] = 4 * (exaggeration * gradient[i][d] - repulsion[i][d] / total);
      }
    }
  }

  /**
   * Computes the attraction and repulsion of a point; returns the sum of its proximities to the
   * others.
   */
  private double forces(int i, double[] attraction, double[] repulsion) {
    double sum = -1; // without itself
    double pullX = 0;
    double pullY = 0;
    double pushX = 0;
    double pushY = 0;
    for (int j = 0; j < size; j++) {
      double x = plane[i][0] - plane[j][0];
      double y = plane[i][1] - plane[j][1];
      double near = 1 / (1 + x * x + y * y);
      double pull = affinities[i * size + j] * near;
      double push = near * near;
      sum += near;
      pullX += pull * x;
      pullY += pull * y;
      pushX += push * x;
      pushY += push * y;
    }
    attraction[0] = pullX;
    attraction[1] = pullY;
    repulsion[0] = pushX;
    repulsion[1] = pushY;
    return sum;
  }

  private void move(double rate, double momentum) {
    for (int i = 0; i < size; i++) {
      for (int d = 0; d < 2; d++) {
        boolean downhill = gradient[i][d] > 0 != velocity[i][d] > 0;
        gains[i][d] = Math.max(0.01, downhill ? gains[i][d] + 0.2 : gains[i][d] * 0.8);
        velocity[i][d] = momentum * velocity[i][d] - rate * gains[i][d] * gradient[i][d];
        plane[i][d] += velocity[i][d];
      }
    }
  }
}
