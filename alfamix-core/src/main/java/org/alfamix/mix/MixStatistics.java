package org.alfamix.mix;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * What mixing did to a pool, as the authors of ALFA-Mix log it.
 *
 * @param caps what happened at each cap that was tried, ascending
 * @param measured of how many candidates the anchors and ratios were measured: all, or a sample
 *     where they are many
 * @param alphaMean mean over the candidates of the mean ratio α over the features
 * @param alphaMeanDeviation standard deviation over the candidates of that mean
 * @param alphaDeviation mean over the candidates of the standard deviation of α over the features;
 *     all three are NaN where there is no candidate, or nothing was mixed
 */
public record MixStatistics(
    List<AtCap> caps,
    int measured,
    double alphaMean,
    double alphaMeanDeviation,
    double alphaDeviation) {

  /**
   * What happened at one cap.
   *
   * @param flipped how many items of the pool changed their prediction
   * @param perAnchor how many of the measured ones did so by each anchor, by class; a single number
   *     where there are no anchors
   */
  public record AtCap(double cap, int flipped, int[] perAnchor) {}

  public MixStatistics {
    caps = List.copyOf(caps);
  }

  static MixStatistics of(List<AtCap> caps, Mix[] found) {
    Mix[] mixes = Arrays.stream(found).filter(Objects::nonNull).toArray(Mix[]::new);
    double[] means = Arrays.stream(mixes).mapToDouble(Mix::mean).toArray();
    double mean = Arrays.stream(means).average().orElse(Double.NaN);
    double squares = Arrays.stream(means).map(value -> (value - mean) * (value - mean)).sum();
    return new MixStatistics(
        caps,
        mixes.length,
        mean,
        means.length > 1 ? Math.sqrt(squares / (means.length - 1)) : Double.NaN,
        Arrays.stream(mixes).mapToDouble(Mix::deviation).average().orElse(Double.NaN));
  }
}
