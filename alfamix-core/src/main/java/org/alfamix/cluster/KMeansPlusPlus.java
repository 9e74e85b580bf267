package org.alfamix.cluster;

import java.util.Arrays;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.alfamix.math.Parallel;

/**
 * k-means++ sampling without clustering: picks points one by one, with a probability proportional
 * to the squared distance to the nearest earlier pick, so that the picks are both far apart and
 * representative.
 *
 * <p>D. Arthur and S. Vassilvitskii, "k-means++: The advantages of careful seeding", SODA 2007.
 */
public final class KMeansPlusPlus {
  private static final int BLOCK = 4096;

  /**
   * The picked points, in the order of picking.
   *
   * @param indices distinct indices
   * @param squaredDistances squared distance of each pick to the nearest earlier one; the squared
   *     norm for the first
   */
  public record Picks(int[] indices, double[] squaredDistances) {}

  private KMeansPlusPlus() {}

  /**
   * Picks {@code count} distinct points.
   *
   * @param first the first pick
   */
  public static Picks pick(Points points, int count, int first, RandomGenerator random) {
    return pick(points, count, first, PickConstraint.NONE, random);
  }

  /**
   * Picks {@code count} distinct points, or fewer if the constraint rejects all others.
   *
   * @param first the first pick, which the constraint must allow
   */
  public static Picks pick(
      Points points, int count, int first, PickConstraint constraint, RandomGenerator random) {
    int n = points.size();
    if (count < 1 || count > n) {
      throw new IllegalArgumentException("Cannot pick %d of %d points.".formatted(count, n));
    }
    Objects.checkIndex(first, n);
    return Parallel.inPool(() -> run(points, count, first, constraint, random));
  }

  private static Picks run(
      Points points, int count, int first, PickConstraint constraint, RandomGenerator random) {
    int n = points.size();
    float[] least = new float[n];
    Arrays.fill(least, Float.POSITIVE_INFINITY);
    int[] indices = new int[count];
    double[] distances = new double[count];
    boolean[] taken = new boolean[n];
    double[] blockSums = new double[(n + BLOCK - 1) / BLOCK];
    int next = first;
    double distance = points.squaredNorm(first);
    int picked = 0;
    while (next >= 0) {
      indices[picked] = next;
      distances[picked++] = distance;
      taken[next] = true;
      if (picked == count) {
        break;
      }
      constraint.picked(next);
      points.lowerDistances(next, least);
      least[next] = 0;
      if (constraint != PickConstraint.NONE) {
        excludeRejected(taken, constraint);
      }
      double total = sumBlocks(least, taken, blockSums);
      next =
          total > 0 ? sample(least, taken, blockSums, total, random) : pickRemaining(taken, random);
      distance = next < 0 ? 0 : least[next];
    }
    return new Picks(Arrays.copyOf(indices, picked), Arrays.copyOf(distances, picked));
  }

  /** Marks rejected points as taken, so that they cannot be sampled. */
  private static void excludeRejected(boolean[] taken, PickConstraint constraint) {
    for (int i = 0; i < taken.length; i++) {
      taken[i] = taken[i] || !constraint.allows(i);
    }
  }

  /** Sums in blocks of fixed size, so that rounding does not depend on the number of threads. */
  private static double sumBlocks(float[] least, boolean[] taken, double[] blockSums) {
    Parallel.forBlocks(
        least.length,
        BLOCK,
        (from, to) -> {
          double sum = 0;
          for (int i = from; i < to; i++) {
            sum += taken[i] ? 0 : least[i];
          }
          blockSums[from / BLOCK] = sum;
        });
    double total = 0;
    for (double sum : blockSums) {
      total += sum;
    }
    return total;
  }

  private static int sample(
      float[] least, boolean[] taken, double[] blockSums, double total, RandomGenerator random) {
    double rest = random.nextDouble() * total;
    int block = 0;
    while (block < blockSums.length - 1 && rest >= blockSums[block]) {
      rest -= blockSums[block++];
    }
    int last = -1;
    for (int i = block * BLOCK; i < Math.min(least.length, (block + 1) * BLOCK); i++) {
      if (!taken[i] && least[i] > 0) {
        last = i;
        rest -= least[i];
        if (rest < 0) {
          return i;
        }
      }
    }
    // Rounding may leave a remainder at the end of a block: it belongs to the last weighted point.
    return last >= 0 ? last : pickRemaining(taken, random);
  }

  /**
   * Returns any remaining point, for the case that all points coincide with a pick; −1 if none
   * remains.
   */
  private static int pickRemaining(boolean[] taken, RandomGenerator random) {
    int start = random.nextInt(taken.length);
    for (int step = 0; step < taken.length; step++) {
      int i = (start + step) % taken.length;
      if (!taken[i]) {
        return i;
      }
    }
    return -1;
  }
}
