package org.alfamix.lab.statistics;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/** Bootstrap intervals that contain 95 % of the resampled values. */
final class Bootstrap {
  private static final int RESAMPLES = 2000;
  private static final double TAIL = 0.025;

  private Bootstrap() {}

  /** The mean of the resampled values, and the interval that contains 95 % of them. */
  record Interval(double mean, double low, double high) {}

  /**
   * Resamples many times and returns the interval, which depends only on the arguments.
   *
   * @param resample computes the value of a random resample
   */
  static Interval interval(long seed, ToDoubleFunction<SplittableRandom> resample) {
    return interval(values(seed, resample));
  }

  /** Resamples many times and returns the values in the order of sampling. */
  static double[] values(long seed, ToDoubleFunction<SplittableRandom> resample) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] values = new double[RESAMPLES];
    for (int b = 0; b < RESAMPLES; b++) {
      values[b] = resample.applyAsDouble(random);
    }
    return values;
  }

  static Interval interval(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return new Interval(
        Arrays.stream(sorted).average().orElseThrow(),
        quantile(sorted, TAIL),
        quantile(sorted, 1 - TAIL));
  }

  /** Returns a random sample of all seeds with replacement. */
  static int[] sample(int seeds, SplittableRandom random) {
    int[] sample = new int[seeds];
    Arrays.setAll(sample, s -> random.nextInt(seeds));
    return sample;
  }

  private static double quantile(double[] sorted, double share) {
    double at = share * (sorted.length - 1);
    int below = (int) at;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
  }
}
