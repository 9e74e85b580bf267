package org.alfamix.spark;

import java.nio.charset.StandardCharsets;
import org.alfamix.io.CodePoints;
import org.alfamix.io.DataException;
import org.alfamix.math.Seeds;

/**
 * What items are called: whole numbers or text. Their order is the order of the pool, so that
 * nothing depends on where a row happens to lie.
 */
final class Ids {
  private Ids() {}

  /** By value, or by code points as Spark itself orders texts; null comes first. */
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

  /** A number that is the same for this id on every machine, and hardly that of any other. */
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

  /** For a method that ran out of items before it ran out of rows. */
  static DataException twice() {
    return new DataException("Some ids are there twice: the pool has fewer items than rows.");
  }
}
