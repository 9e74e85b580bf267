package org.alfamix.spark;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;

/** The predicted classes of some items; empty if there is no head. */
record Predictions(PoolBlock items, int[] predicted) {
  static Predictions of(ClusterQuery query, List<Comparable<?>> ids) {
    if (!query.model().predicts()) {
      return new Predictions(PoolBlock.empty(query.model().features()), new int[0]);
    }
    PoolBlock items = query.fetch(new HashSet<>(ids));
    int[] all = IntStream.range(0, items.size()).toArray();
    return new Predictions(items, query.model().snapshot(items.rows()).predict(all));
  }

  int of(Comparable<?> id) {
    int at = Arrays.binarySearch(items.ids(), id, Ids::compare);
    return at < 0 ? -1 : predicted[at];
  }
}
