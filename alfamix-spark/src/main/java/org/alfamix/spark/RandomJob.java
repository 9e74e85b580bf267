package org.alfamix.spark;

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
}
