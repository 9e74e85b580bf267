package org.alfamix.lab.statistics;

import java.util.Arrays;

/**
 * Mean ranks of methods over blocks (settings, or seeds of one), with the critical difference of
 * the Nemenyi test at 5 %.
 *
 * <p>J. Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006.
 *
 * @param means mean rank of each method, 1 for the best
 * @param blocks number of blocks
 * @param criticalDifference the smallest significant difference of two means
 */
public record MeanRanks(double[] means, int blocks, double criticalDifference) {
  private static final double CONFIDENCE = 0.95;

  /**
   * @param scores block × method, larger is better; ties share their mean rank
   */
  public static MeanRanks of(double[][] scores) {
    int methods = scores[0].length;
    double[] means = new double[methods];
    for (double[] block : scores) {
      for (int i = 0; i < methods; i++) {
        double score = block[i];
        long better = Arrays.stream(block).filter(other -> other > score).count();
        long equal = Arrays.stream(block).filter(other -> other == score).count();
        means[i] += (better + (equal + 1) / 2.0) / scores.length;
      }
    }
    double critical =
        methods < 2
            ? Double.NaN
            : StudentizedRange.quantile(methods, CONFIDENCE)
                / Math.sqrt(2)
                * Math.sqrt(methods * (methods + 1) / (6.0 * scores.length));
    return new MeanRanks(means, scores.length, critical);
  }
}
