package org.alfamix.lab.run;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.alfamix.math.FloatMatrix;

/**
 * How unsure a model is of the items of a batch, and how diverse they are.
 *
 * @param confidence mean probability of the best class
 * @param margin mean distance to that of the second best
 * @param labelEntropy entropy of the true classes of the batch, in nats
 * @param pairEntropy entropy of the pairs of best two classes, whichever comes first
 */
public record QueryStatistics(
    double confidence, double margin, double labelEntropy, double pairEntropy) {

  /**
   * @param probabilities those of the batch, a row each
   * @param labels the true classes
   */
  static QueryStatistics of(FloatMatrix probabilities, int[] labels) {
    double confidence = 0;
    double margin = 0;
    Map<Long, Integer> pairs = new HashMap<>();
    Map<Long, Integer> classes = new HashMap<>();
    for (int i = 0; i < labels.length; i++) {
      int best = largest(probabilities, i, -1);
      int second = largest(probabilities, i, best);
      confidence += probabilities.get(i, best) / labels.length;
      margin += (probabilities.get(i, best) - probabilities.get(i, second)) / labels.length;
      long pair = (long) Math.min(best, second) * probabilities.columns() + Math.max(best, second);
      pairs.merge(pair, 1, Integer::sum);
      classes.merge((long) labels[i], 1, Integer::sum);
    }
    return new QueryStatistics(
        confidence,
        margin,
        entropy(classes.values(), labels.length),
        entropy(pairs.values(), labels.length));
  }

  private static int largest(FloatMatrix probabilities, int row, int except) {
    int best = -1;
    for (int k = 0; k < probabilities.columns(); k++) {
      if (k != except && (best < 0 || probabilities.get(row, k) > probabilities.get(row, best))) {
        best = k;
      }
    }
    return best;
  }

  private static double entropy(Collection<Integer> counts, int total) {
    return counts.stream()
        .mapToDouble(count -> -(double) count / total * Math.log((double) count / total))
        .sorted() // the order of a hash map must not show in the last digit
        .sum();
  }
}
