package org.alfamix.lab.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * The share of rounds in which a method beats another, with equal weights of settings, and an
 * interval that estimates the effect of chance.
 *
 * @param share the share of rounds in the runs
 * @param low lower end of the 95 % interval; NaN if there are too few seeds
 * @param high upper end of the interval
 */
public record VictoryShare(double share, double low, double high) {
  private static final int MIN_SEEDS = 3;

  /**
   * Computes the share and its interval.
   *
   * <p>The interval is a parametric bootstrap: 2,000 simulated experiments per setting, whose seeds
   * are sampled from normal distributions with the means and covariances (between rounds) of the
   * observed differences. The interval of the simulated shares is shifted so that it is centred at
   * the observed share. Without the shift it is too high, as is resampling of the observed seeds,
   * because part of the observed differences is chance already. In simulations with a known answer
   * (eleven kinds, sixty of each) the interval contained it in 82 to 100 % of the cases.
   *
   * @param pairs for each setting the accuracies of both methods, each seed × round, with at least
   *     two seeds
   */
  public static VictoryShare of(List<double[][][]> pairs, double threshold) {
    return of(pairs.stream().map(pair -> ofSetting(pair, threshold)).toList());
  }

  /**
   * The share in one setting, with the shares of 2,000 simulated experiments. They are computed
   * once for settings that are in several groups.
   *
   * @param simulated the simulated shares; null if there are too few seeds
   */
  public record OfSetting(double share, double[] simulated) {}

  /**
   * Compares two methods in one setting.
   *
   * @param pair the accuracies of both methods, each seed × round
   */
  public static OfSetting ofSetting(double[][][] pair, double threshold) {
    if (pair[0].length < 2) {
      throw new IllegalArgumentException(
          "Every setting needs at least two seeds, found " + pair[0].length + ".");
    }
    double share = Victories.share(pair[0], pair[1], threshold);
    if (pair[0].length < MIN_SEEDS) {
      return new OfSetting(share, null);
    }
    Differences differences = Differences.of(pair);
    // The seed depends on the data, so that samples of settings are independent.
    return new OfSetting(
        share,
        Bootstrap.values(
            Arrays.deepHashCode(pair), random -> differences.simulate(threshold, random)));
  }

  /** Returns the mean over settings. */
  public static VictoryShare of(List<OfSetting> settings) {
    if (settings.isEmpty()) {
      throw new IllegalArgumentException("Expected at least one setting.");
    }
    double share = settings.stream().mapToDouble(OfSetting::share).average().orElseThrow();
    if (settings.stream().anyMatch(each -> each.simulated() == null)) {
      return new VictoryShare(share, Double.NaN, Double.NaN);
    }
    double[] means = new double[settings.get(0).simulated().length];
    for (OfSetting each : settings) {
      for (int b = 0; b < means.length; b++) {
        means[b] += each.simulated()[b] / settings.size();
      }
    }
    Bootstrap.Interval interval = Bootstrap.interval(means);
    return new VictoryShare(
        share,
        Math.max(0, Math.min(share, share + interval.low() - interval.mean())),
        Math.min(1, Math.max(share, share + interval.high() - interval.mean())));
  }

  /** The observed differences in a setting: their means per round, and deviations of seeds. */
  private record Differences(double[] means, double[][] around) {

    static Differences of(double[][][] pair) {
      int seeds = pair[0].length;
      int rounds = pair[0][0].length;
      double[] means = new double[rounds];
      double[][] around = new double[seeds][rounds];
      for (int r = 0; r < rounds; r++) {
        for (int s = 0; s < seeds; s++) {
          around[s][r] = pair[0][s][r] - pair[1][s][r];
          means[r] += around[s][r] / seeds;
        }
        for (int s = 0; s < seeds; s++) {
          around[s][r] = (around[s][r] - means[r]) / Math.sqrt(seeds - 1.0);
        }
      }
      return new Differences(means, around);
    }

    /** Returns the share of victories of a simulated experiment with the same number of seeds. */
    double simulate(double threshold, SplittableRandom random) {
      double[][] sample = new double[around.length][];
      for (int s = 0; s < sample.length; s++) {
        sample[s] = means.clone();
        for (double[] deviation : around) {
          double weight = random.nextGaussian();
          for (int r = 0; r < means.length; r++) {
            sample[s][r] += weight * deviation[r];
          }
        }
      }
      double[][] zero = new double[sample.length][means.length];
      Arrays.setAll(zero, s -> new double[means.length]);
      return Victories.share(sample, zero, threshold);
    }
  }
}
