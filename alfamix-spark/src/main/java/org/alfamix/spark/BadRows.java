package org.alfamix.spark;

import java.io.Serializable;

/**
 * Rows that cannot be used as items.
 *
 * @param count number of such rows
 * @param id the first of their ids in the order of ids; null if a row has none
 * @param problem the problem with that row
 */
record BadRows(long count, Comparable<?> id, String problem) implements Serializable {
  static final BadRows NONE = new BadRows(0, null, null);

  BadRows and(BadRows other) {
    if (count == 0 || other.count == 0) {
      return count == 0 ? other : this;
    }
    BadRows first = Ids.compare(id, other.id) <= 0 ? this : other;
    return new BadRows(count + other.count, first.id, first.problem);
  }

  /** Returns a message for the user. */
  String describe() {
    String one = id == null ? problem : "the item '%s' has %s".formatted(id, problem);
    return count == 1 ? one + "." : "%,d rows are invalid; the first: %s.".formatted(count, one);
  }
}
