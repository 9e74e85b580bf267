package org.alfamix.mix;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Statistics of mixing a pool, as logged by the authors of ALFA-Mix.
 *
 * @param caps statistics of each cap that was tried, ascending
 * @param measured number of candidates whose anchors and ratios were measured: all, or a sample if
 *     there are many
 * @param alphaMean mean over the candidates of the mean ratio α over the features
 * @param alphaMeanDeviation standard deviation over the candidates of that mean
 * @param alphaDeviation mean over the candidates of the standard deviation of α over the features;
 *     all three are NaN if there are no candidates or no anchors
 */
public record MixStatistics(
    List<AtCap> caps,
    int measured,
    double alphaMean,
    double alphaMeanDeviation,
    double alphaDeviation) {

  /**
   * Statistics of one cap.
   *
   * @param flipped number of items of the pool whose prediction changed
   * @param perAnchor number of measured items whose prediction changed by each anchor, by class; a
   *     single number without anchors
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
