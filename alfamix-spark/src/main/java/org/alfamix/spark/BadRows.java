package org.alfamix.spark;

import java.io.Serializable;

/**
 * Rows that are no items.
 *
 * @param count how many
 * @param id of the first of them in the order of ids; null where a row has none
 * @param what is wrong with that one
 */
record BadRows(long count, Comparable<?> id, String what) implements Serializable {
  static final BadRows NONE = new BadRows(0, null, null);

  BadRows and(BadRows other) {
    if (count == 0 || other.count == 0) {
      return count == 0 ? other : this;
    }
    BadRows first = Ids.compare(id, other.id) <= 0 ? this : other;
    return new BadRows(count + other.count, first.id, first.what);
  }

  /** In words, for whoever has to mend them. */
  String describe() {
    String one = id == null ? what : "the item '%s' has %s".formatted(id, what);
    return count == 1 ? one + "." : "%,d rows cannot be used; the first: %s.".formatted(count, one);
  }
}
