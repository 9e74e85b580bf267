package org.alfamix.query;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.alfamix.data.DataException;
import org.alfamix.math.Rows;

/** The embeddings of all items, labelled or not, and what the items are called. */
public final class Pool {
  private final Rows embeddings;
  private final List<String> ids;
  private final Map<String, Integer> rowOf;

  private Pool(Rows embeddings, List<String> ids) {
    this.embeddings = embeddings;
    this.ids = ids;
    this.rowOf = ids == null ? null : new HashMap<>(2 * ids.size());
  }

  /** A pool whose items go by their row numbers. */
  public static Pool of(Rows embeddings) {
    return new Pool(embeddings, null);
  }

  /**
   * A pool with ids, one per row.
   *
   * @throws DataException where an id is missing or there twice
   */
  public static Pool of(Rows embeddings, List<String> ids) {
    if (ids.size() != embeddings.rows()) {
      throw new DataException(
          "%d ids, but %d embeddings.".formatted(ids.size(), embeddings.rows()));
    }
    Pool pool = new Pool(embeddings, List.copyOf(ids));
    for (int row = 0; row < ids.size(); row++) {
      Integer before = pool.rowOf.put(ids.get(row), row);
      if (before != null) {
        throw new DataException(
            "%s: the id '%s' is there already at %s."
                .formatted(embeddings.describe(row), ids.get(row), embeddings.describe(before)));
      }
    }
    return pool;
  }

  public Rows embeddings() {
    return embeddings;
  }

  /** Number of items. */
  public int size() {
    return embeddings.rows();
  }

  public int features() {
    return embeddings.columns();
  }

  public boolean hasIds() {
    return ids != null;
  }

  /** What the item in this row is called: its id, or the number of its row. */
  public String id(int row) {
    return ids == null ? Integer.toString(row) : ids.get(row);
  }

  /** The row of an item; empty where there is no such item. */
  public OptionalInt row(String id) {
    if (ids != null) {
      Integer row = rowOf.get(id);
      return row == null ? OptionalInt.empty() : OptionalInt.of(row);
    }
    // As we would write it: 007 is not 7.
    String text = id.strip();
    if (!text.matches("0|[1-9]\\d{0,9}")) {
      return OptionalInt.empty();
    }
    long row = Long.parseLong(text);
    return row < size() ? OptionalInt.of((int) row) : OptionalInt.empty();
  }
}
