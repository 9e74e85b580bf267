package org.alfamix.lab.statistics;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.alfamix.statistics.Victories;

/**
 * In which share of the rounds one method beats another, every setting counting the same, and how
 * far chance may have moved that.
 *
 * @param share of the runs as they are
 * @param low lower end of the 95 % interval
 * @param high upper end
 */
public record VictoryShare(double share, double low, double high) {

  /**
   * The interval is that of a bootstrap over the seeds, drawn in pairs and anew in every setting.
   * Seeds that are drawn twice make differences look steadier than they are, so that its middle
   * lies somewhat above the share; draws of a single seed, which would make any difference look
   * certain, are drawn again.
   *
   * @param pairs for each setting the accuracies of both methods, each seed × round, of two seeds
   *     or more
   */
  public static VictoryShare of(List<double[][][]> pairs, double threshold) {
    if (pairs.isEmpty() || pairs.stream().anyMatch(pair -> pair[0].length < 2)) {
      throw new IllegalArgumentException("Every setting needs two seeds, and there must be one.");
    }
    double share =
        pairs.stream()
            .mapToDouble(pair -> Victories.share(pair[0], pair[1], threshold))
            .average()
            .orElseThrow();
    double[] interval =
        Bootstrap.interval(
            pairs.size(),
            random ->
                pairs.stream()
                    .mapToDouble(pair -> resampled(pair, threshold, random))
                    .average()
                    .orElseThrow());
    return new VictoryShare(share, interval[0], interval[1]);
  }

  private static double resampled(double[][][] pair, double threshold, SplittableRandom random) {
    int[] drawn;
    do {
      drawn = Bootstrap.draw(pair[0].length, random);
    } while (Arrays.stream(drawn).distinct().count() < 2);
    return Victories.share(pick(pair[0], drawn), pick(pair[1], drawn), threshold);
  }

  private static double[][] pick(double[][] accuracy, int[] seeds) {
    return Arrays.stream(seeds).mapToObj(seed -> accuracy[seed]).toArray(double[][]::new);
  }
}
