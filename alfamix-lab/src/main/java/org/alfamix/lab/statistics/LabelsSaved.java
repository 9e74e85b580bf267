package org.alfamix.lab.statistics;

import java.util.Arrays;

/**
 * The share of labels that a method saves against a baseline at equal accuracy.
 *
 * <p>Where the method gets as far as the baseline ends, it is 1 − n/N, with n the labels it needs
 * for that and N those of the baseline. Where it does not, the baseline needs only n labels for
 * what the method has at its end, and the share is 1 − N/n: below zero, as labels were wasted.
 *
 * @param share on the mean curves
 * @param low lower end of the 95 % interval
 * @param high upper end
 * @param seeds of how many; of one the interval says nothing
 */
public record LabelsSaved(double share, double low, double high, int seeds) {
  private static final double ROUNDING = 1e-9;

  /**
   * The interval is that of the percentiles of a bootstrap over the seeds, which both methods have
   * in common and are drawn in pairs. With few seeds it is a rough one.
   *
   * @param labels per round
   * @param method accuracy, seed × round
   * @param baseline the same seeds
   */
  public static LabelsSaved of(int[] labels, double[][] method, double[][] baseline) {
    if (method.length != baseline.length || method.length == 0) {
      throw new IllegalArgumentException(
          "%d seeds against %d.".formatted(method.length, baseline.length));
    }
    int seeds = method.length;
    int[] all = new int[seeds];
    Arrays.setAll(all, s -> s);
    double share = share(labels, method, baseline, all);
    Bootstrap.Draws draws =
        Bootstrap.draws(
            seeds, random -> share(labels, method, baseline, Bootstrap.draw(seeds, random)));
    return new LabelsSaved(share, draws.low(), draws.high(), seeds);
  }

  private static double share(int[] labels, double[][] method, double[][] baseline, int[] seeds) {
    LearningCurve ours = new LearningCurve(labels, mean(method, seeds));
    LearningCurve theirs = new LearningCurve(labels, mean(baseline, seeds));
    if (ours.last() >= theirs.last() - ROUNDING) {
      double goal = Math.min(ours.last(), theirs.last()); // they may differ by rounding alone
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
