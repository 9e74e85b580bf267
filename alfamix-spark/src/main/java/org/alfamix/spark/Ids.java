package org.alfamix.spark;

import java.nio.charset.StandardCharsets;
import org.alfamix.io.CodePoints;
import org.alfamix.io.DataException;
import org.alfamix.math.Seeds;

/**
 * Ids of items: integers or text. Their order is the order of the pool, so that results do not
 * depend on the partitioning.
 */
final class Ids {
  private Ids() {}

  /** Compares numbers by value and texts by code points, like Spark; null comes first. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  static int compare(Comparable<?> one, Comparable<?> two) {
    if (one == null || two == null) {
      return one == two ? 0 : one == null ? -1 : 1;
    }
    if (one instanceof String a && two instanceof String b) {
      return CodePoints.ORDER.compare(a, b);
    }
    return ((Comparable) one).compareTo(two);
  }

  /** Returns a hash that is the same on every machine, with few collisions. */
  static long hash(Comparable<?> id) {
    if (id instanceof Long number) {
      return Seeds.scatter(number);
    }
    long hash = 0;
    for (byte letter : id.toString().getBytes(StandardCharsets.UTF_8)) {
      hash = Seeds.scatter(hash ^ letter) + 0x9e3779b97f4a7c15L;
    }
    return hash;
  }

  /** Returns the error for a method that found fewer distinct items than rows. */
  static DataException duplicateIds() {
    return new DataException("The pool has duplicate ids: it has fewer items than rows.");
  }
}
