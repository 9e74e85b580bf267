package org.alfamix.cluster;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.alfamix.math.Kernels;

/**
 * The state of one greedy k-means++ seeding.
 *
 * <p>k-means++ samples the next centre with a probability proportional to the squared distance to
 * the nearest centre so far. The greedy variant samples several candidates and keeps the one that
 * lowers the sum of these squared distances most. This makes the result of k-means more reliable at
 * little cost.
 *
 * <p>Arthur and Vassilvitskii, "k-means++: The advantages of careful seeding", SODA 2007. The
 * number of trials, 2 + ⌊ln k⌋, is that of the authors' implementation.
 *
 * <p>The distances are stored as {@code least[i] = min over centres c of ‖c‖² − 2⟨x_i, c⟩}, without
 * the constant ‖x_i‖², so that an update is one pass over a row of inner products.
 */
final class GreedySeeding {
  private static final int BLOCK = 4096;

  private final Points points;
  private final RandomGenerator random;
  private final int[] centres;
  private final float[] least;

  /** The points that candidates are compared on, or null for all. */
  private final int[] sample;

  /** {@link #least} at those points. */
  private final float[] sampled;

  private final int[] assignment;
  private final double[] cumulative;
  private int chosen;

  GreedySeeding(Points points, int k, RandomGenerator random) {
    this(points, k, random, null);
  }

  GreedySeeding(Points points, int k, RandomGenerator random, int[] sample) {
    this.points = points;
    this.random = random;
    this.centres = new int[k];
    this.least = new float[points.size()];
    this.assignment = new int[points.size()];
    this.cumulative = new double[points.size()];
    Arrays.fill(least, Float.POSITIVE_INFINITY);
    this.sample = sample;
    this.sampled = sample == null ? least : new float[sample.length];
    Arrays.fill(sampled, Float.POSITIVE_INFINITY);
  }

  static int trials(int k) {
    return 2 + (int) Math.log(k);
  }

  /**
   * Samples the next candidates: a single one uniformly at first, then {@code trials} by squared
   * distance.
   */
  int[] sampleCandidates(int trials) {
    int n = points.size();
    if (chosen == 0) {
      return new int[] {random.nextInt(n)};
    }
    double total = 0;
    for (int i = 0; i < n; i++) {
      total += Math.max(0, points.squaredNorm(i) + least[i]);
      cumulative[i] = total;
    }
    int[] result = new int[trials];
    for (int t = 0; t < trials; t++) {
      result[t] = total > 0 ? sampleByDistance(total) : pickUnchosen();
    }
    return result;
  }

  private int sampleByDistance(double total) {
    double u = random.nextDouble() * total;
    int at = Arrays.binarySearch(cumulative, u);
    // Points with equal cumulative sums have no weight: skip them up to the first above u.
    at = at >= 0 ? at + 1 : -at - 1;
    while (at < cumulative.length - 1 && cumulative[at] <= u) {
      at++;
    }
    return Math.min(at, cumulative.length - 1);
  }

  /** Returns any point that is not a centre, for the case that every point coincides with one. */
  private int pickUnchosen() {
    boolean[] taken = new boolean[points.size()];
    for (int c = 0; c < chosen; c++) {
      taken[centres[c]] = true;
    }
    int start = random.nextInt(points.size());
    for (int step = 0; step < points.size(); step++) {
      int i = (start + step) % points.size();
      if (!taken[i]) {
        return i;
      }
    }
    return start;
  }

  /**
   * Returns the sum of squared distances (up to a constant) if {@code candidate} were a centre.
   *
   * @param products inner products of the candidate with the points of the sample, from {@code
   *     offset} on
   */
  double potential(int candidate, float[] products, int offset) {
    float norm = points.squaredNorm(candidate);
    double sum = 0;
    for (int from = 0; from < sampled.length; from += BLOCK) {
      int to = Math.min(sampled.length, from + BLOCK);
      sum += Kernels.cappedSum(products, offset + from, -2, norm, sampled, from, to);
    }
    return sum;
  }

  /**
   * Adds a candidate as the next centre.
   *
   * @param products inner products of the candidate with all points, from {@code offset} on
   */
  void accept(int candidate, float[] products, int offset) {
    float norm = points.squaredNorm(candidate);
    Kernels.lowerInto(products, offset, -2, norm, least, assignment, chosen, 0, least.length);
    // Rounding must not allow a chosen point to be sampled again.
    least[candidate] = -norm;
    assignment[candidate] = chosen;
    centres[chosen++] = candidate;
    if (sample != null) {
      for (int i = 0; i < sample.length; i++) {
        sampled[i] = least[sample[i]];
      }
    }
  }

  /** Returns the number of points that candidates are compared on. */
  int sampleSize() {
    return sampled.length;
  }

  /** Returns every point with its nearest centre. */
  Assignment assignment() {
    return new Assignment(assignment, least);
  }
}
