package org.alfamix.lab.statistics;

/**
 * Pairwise comparisons of methods, which the paper's tables are based on.
 *
 * <p>In each round the accuracies of two methods are compared over the same seeds by a paired
 * t-score, √S · mean / deviation of the differences, with the population variance. A round is a
 * victory if the score exceeds the threshold. J. Ash et al., "Deep batch active learning by
 * diverse, uncertain gradient lower bounds", ICLR 2020, introduced it; its threshold, 2.776, is the
 * two-sided 95 % point of Student's t with four degrees of freedom, for five seeds.
 */
public final class Victories {
  /** The paper's threshold, for five seeds. */
  public static final double THRESHOLD = 2.776;

  private Victories() {}

  /**
   * Returns the shares of rounds in which the row's method beats the column's.
   *
   * @param accuracy method × seed × round
   */
  public static double[][] shares(double[][][] accuracy, double threshold) {
    int methods = accuracy.length;
    double[][] shares = new double[methods][methods];
    for (int i = 0; i < methods; i++) {
      for (int j = 0; j < methods; j++) {
        if (i != j) {
          shares[i][j] = share(accuracy[i], accuracy[j], threshold);
        }
      }
    }
    return shares;
  }

  /**
   * Returns the share of rounds in which the first of two methods beats the second.
   *
   * @param first seed × round
   * @param second the same seeds and rounds
   */
  public static double share(double[][] first, double[][] second, double threshold) {
    if (first.length != second.length || first[0].length != second[0].length) {
      throw new IllegalArgumentException(
          "Cannot compare %d seeds x %d rounds with %d x %d."
              .formatted(first.length, first[0].length, second.length, second[0].length));
    }
    int victories = 0;
    for (boolean won : rounds(first, second, threshold)) {
      victories += won ? 1 : 0;
    }
    return (double) victories / first[0].length;
  }

  /** Returns for each round whether the first of two methods beats the second. */
  public static boolean[] rounds(double[][] first, double[][] second, double threshold) {
    boolean[] won = new boolean[first[0].length];
    for (int round = 0; round < won.length; round++) {
      won[round] = tScore(first, second, round) > threshold;
    }
    return won;
  }

  /** Returns the t-score: infinite if all seeds have the same difference, 0 if the mean is 0. */
  private static double tScore(double[][] first, double[][] second, int round) {
    int seeds = first.length;
    double mean = 0;
    for (int s = 0; s < seeds; s++) {
      mean += (first[s][round] - second[s][round]) / seeds;
    }
    double variance = 0;
    for (int s = 0; s < seeds; s++) {
      double deviation = first[s][round] - second[s][round] - mean;
      variance += deviation * deviation / seeds;
    }
    if (mean == 0) {
      return 0;
    }
    return Math.sqrt(seeds) * mean / Math.sqrt(variance);
  }
}
