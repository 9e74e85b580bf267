package org.alfamix.lab.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Intervals that have 95 % of what resamples of the seeds give. */
final class Bootstrap {
  private static final int RESAMPLES = 2000;
  private static final double TAIL = 0.025;

  private Bootstrap() {}

  /**
   * Lower and upper end of the interval; the same for the same numbers.
   *
   * @param resample draws seeds and says what they give
   */
  static double[] interval(long seed, ToDoubleFunction<SplittableRandom> resample) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] draws = new double[RESAMPLES];
    for (int b = 0; b < RESAMPLES; b++) {
      draws[b] = resample.applyAsDouble(random);
    }
    Arrays.sort(draws);
    return new double[] {quantile(draws, TAIL), quantile(draws, 1 - TAIL)};
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
