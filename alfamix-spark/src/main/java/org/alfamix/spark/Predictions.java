package org.alfamix.spark;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** What some items are predicted to be; nothing where there is no head. */
record Predictions(PoolBlock items, int[] predicted) {
  static Predictions of(Work work, List<Comparable<?>> ids) {
    if (!work.model().predicts()) {
      return new Predictions(PoolBlock.empty(work.model().features()), new int[0]);
    }
    PoolBlock items = work.fetch(new HashSet<>(ids));
    int[] all = IntStream.range(0, items.size()).toArray();
    return new Predictions(items, work.model().snapshot(items.rows()).predict(all));
  }

  int of(Comparable<?> id) {
    int at = Arrays.binarySearch(items.ids(), id, Ids::compare);
    return at < 0 ? -1 : predicted[at];
  }
}
