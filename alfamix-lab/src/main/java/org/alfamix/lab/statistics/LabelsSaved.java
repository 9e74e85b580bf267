package org.alfamix.lab.statistics;

import java.util.Arrays;

/**
 * The share of labels that a method saves against a baseline at equal accuracy.
 *
 * <p>If the method reaches the final accuracy of the baseline, the share is 1 − n/N, where n is the
 * number of labels that the method needs for it, and N that of the baseline. Otherwise the baseline
 * reaches the final accuracy of the method with n labels, and the share is 1 − N/n. It is then
 * negative, because the method needs more labels.
 *
 * @param share the share on the mean curves
 * @param low lower end of the 95 % interval
 * @param high upper end of the interval
 * @param seeds number of seeds; with a single one the interval is meaningless
 */
public record LabelsSaved(double share, double low, double high, int seeds) {
  private static final double ROUNDING = 1e-9;

  /**
   * Computes the share, and a percentile interval of a bootstrap over seeds. Both methods have the
   * same seeds, which are resampled in pairs. With few seeds the interval is a rough estimate.
   *
   * @param labels number of labels per round
   * @param method accuracy, seed × round
   * @param baseline accuracy of the baseline with the same seeds
   */
  public static LabelsSaved of(int[] labels, double[][] method, double[][] baseline) {
    if (method.length != baseline.length || method.length == 0) {
      throw new IllegalArgumentException(
          "Expected the same number of seeds, at least one; found %d and %d."
              .formatted(method.length, baseline.length));
    }
    int seeds = method.length;
    int[] all = new int[seeds];
    Arrays.setAll(all, s -> s);
    double share = share(labels, method, baseline, all);
    Bootstrap.Interval interval =
        Bootstrap.interval(
            seeds, random -> share(labels, method, baseline, Bootstrap.sample(seeds, random)));
    return new LabelsSaved(share, interval.low(), interval.high(), seeds);
  }

  private static double share(int[] labels, double[][] method, double[][] baseline, int[] seeds) {
    LearningCurve ours = new LearningCurve(labels, mean(method, seeds));
    LearningCurve theirs = new LearningCurve(labels, mean(baseline, seeds));
    if (ours.last() >= theirs.last() - ROUNDING) {
      double goal = Math.min(ours.last(), theirs.last()); // they may differ by rounding only
      return 1 - ours.labelsFor(goal) / theirs.mostLabels();
    }
    return 1 - ours.mostLabels() / theirs.labelsFor(ours.last());
  }

  private static double[] mean(double[][] accuracy, int[] seeds) {
    double[] mean = new double[accuracy[0].length];
    for (int seed : seeds) {
      for (int r = 0; r < mean.length; r++) {
        mean[r] += accuracy[seed][r] / seeds.length;
      }
    }
    return mean;
  }
}
