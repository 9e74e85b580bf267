package org.alfamix.lab.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Intervals that have 95 % of what other draws of the seeds give. */
final class Bootstrap {
  private static final int DRAWS = 2000;
  private static final double TAIL = 0.025;

  private Bootstrap() {}

  /** The mean of many draws, and the interval that has 95 % of them. */
  record Draws(double mean, double low, double high) {}

  /**
   * Draws many times; the same for the same numbers.
   *
   * @param draw draws seeds and says what they give
   */
  static Draws draws(long seed, ToDoubleFunction<SplittableRandom> draw) {
    return summary(values(seed, draw));
  }

  /** Draws many times, in the order of the draws. */
  static double[] values(long seed, ToDoubleFunction<SplittableRandom> draw) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] values = new double[DRAWS];
    for (int b = 0; b < DRAWS; b++) {
      values[b] = draw.applyAsDouble(random);
    }
    return values;
  }

  static Draws summary(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Draws(
        Arrays.stream(sorted).average().orElseThrow(),
        quantile(sorted, TAIL),
        quantile(sorted, 1 - TAIL));
  }

  /** Draws as many seeds as there are, with replacement. */
  static int[] draw(int seeds, SplittableRandom random) {
    int[] drawn = new int[seeds];
    Arrays.setAll(drawn, s -> random.nextInt(seeds));
    return drawn;
  }

  private static double quantile(double[] sorted, double share) {
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
