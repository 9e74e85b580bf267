package org.alfamix.spark;

import java.util.List;
import java.util.Set;
import org.alfamix.math.RandomIndices;
import org.alfamix.strategy.RandomSampling;

/** Uniform sampling of positions in the order of ids, as the local engine samples rows. */
final class RandomJob {
  private RandomJob() {}

  static Outcome run(ClusterQuery query) {
    Outcome outcome = new Outcome();
    try (ClusterQuery.SortedIds sortedIds = query.sortedIds()) {
      Totals totals = sortedIds.totals();
      outcome.checkPool(totals, query.budget(), query.skipBad());
      long[] drawn = RandomIndices.distinct(totals.rows(), query.budget(), query.model().random());
      List<Comparable<?>> ids = sortedIds.at(drawn, Set.of());
      Predictions predictions = Predictions.of(query, ids);
      for (Comparable<?> id : ids) {
        outcome.pick(id, RandomSampling.pick(0, predictions.of(id)));
      }
    }
    return outcome;
  }
}
