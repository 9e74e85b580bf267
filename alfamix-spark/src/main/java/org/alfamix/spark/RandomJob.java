package org.alfamix.spark;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alfamix.math.RandomIndices;
import org.alfamix.strategy.RandomSampling;

/** Uniform draws: places in the order of ids, as the local engine draws rows. */
final class RandomJob {
  private RandomJob() {}

  static Chosen run(Work work) {
    Chosen chosen = new Chosen();
    try (Work.Places places = work.places()) {
      Totals totals = places.totals();
      chosen.pool(totals, work.budget(), work.skipBad());
      long[] drawn = RandomIndices.distinct(totals.rows(), work.budget(), work.model().random());
      List<Comparable<?>> ids = places.at(drawn, Set.of());
      Predictions predictions = Predictions.of(work, ids);
      for (Comparable<?> id : ids) {
        chosen.pick(id, RandomSampling.pick(0, predictions.of(id)));
      }
    }
    return chosen;
  }

  /** What some items are predicted to be; nothing where there is no head. */
  record Predictions(PoolBlock items, int[] predicted) {
    static Predictions of(Work work, List<Comparable<?>> ids) {
      if (!work.model().predicts()) {
        return new Predictions(PoolBlock.empty(work.model().features()), new int[0]);
      }
      PoolBlock items = work.fetch(new HashSet<>(ids));
      int[] all = java.util.stream.IntStream.range(0, items.size()).toArray();
      return new Predictions(items, work.model().snapshot(items.rows()).predict(all));
    }

    int of(Comparable<?> id) {
      int at = java.util.Arrays.binarySearch(items.ids(), id, Ids::compare);
      return at < 0 ? -1 : predicted[at];
    }
  }
}
