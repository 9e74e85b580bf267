package org.alfamix.lab.run;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.alfamix.math.FloatMatrix;

/**
 * The uncertainty of a model about the items of a batch, and their diversity.
 *
 * @param confidence mean probability of the best class
 * @param margin mean difference of the probabilities of the best two classes
 * @param labelEntropy entropy of the true classes of the batch, in nats
 * @param pairEntropy entropy of the unordered pairs of the best two classes, in nats
 */
public record QueryStatistics(
    double confidence, double margin, double labelEntropy, double pairEntropy) {

  /**
   * @param probabilities a row for each item of the batch
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
        .sorted() // the order of the hash map must not affect the last digit
        .sum();
  }
}
