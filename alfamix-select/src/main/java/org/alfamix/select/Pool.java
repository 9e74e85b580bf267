package org.alfamix.select;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/** The embeddings and ids of all items, labelled or not. */
public final class Pool {
  /** Rows read at a time for a digest. */
  private static final int DIGESTED = 1024;

  private final Rows embeddings;
  private final List<String> ids;
  private final Map<String, Integer> rowOf;
  private final List<String> texts;

  private Pool(Rows embeddings, List<String> ids) {
    this(embeddings, ids, null);
  }

  private Pool(Rows embeddings, List<String> ids, List<String> texts) {
    this.embeddings = embeddings;
    this.texts = texts;
    this.ids = ids;
    this.rowOf = ids == null ? null : new HashMap<>(2 * ids.size());
  }

  /** Returns a pool whose ids are row numbers. */
  public static Pool of(Rows embeddings) {
    return new Pool(embeddings, null);
  }

  /**
   * Returns a pool with ids, one per row.
   *
   * @throws DataException if an id is missing or duplicate
   */
  public static Pool of(Rows embeddings, List<String> ids) {
    return of(embeddings, ids, null);
  }

  /**
   * Returns a pool of texts.
   *
   * @param texts one per row, or null
   * @throws DataException if an id is missing or duplicate
   */
  public static Pool of(Rows embeddings, List<String> ids, List<String> texts) {
    if (ids.size() != embeddings.rows()) {
      throw new DataException(
          "%d ids, but %d embeddings.".formatted(ids.size(), embeddings.rows()));
    }
    Pool pool = new Pool(embeddings, List.copyOf(ids), texts == null ? null : List.copyOf(texts));
    for (int row = 0; row < ids.size(); row++) {
      Integer before = pool.rowOf.put(ids.get(row), row);
      if (before != null) {
        throw new DataException(
            "%s: duplicate id '%s', first used at %s."
                .formatted(embeddings.describe(row), ids.get(row), embeddings.describe(before)));
      }
    }
    return pool;
  }

  /**
   * Returns the SHA-256 of all ids and embeddings, in order: of each row its id, if there are ids,
   * as UTF-8 with a trailing zero byte, and its floats, little-endian.
   */
  public String sha256() {
    MessageDigest digest = Digest.newSha256();
    for (int from = 0; from < size(); from += DIGESTED) {
      FloatMatrix block = embeddings.slice(from, Math.min(size(), from + DIGESTED));
      ByteBuffer values =
          ByteBuffer.allocate(Float.BYTES * features()).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = 0; i < block.rows(); i++) {
        if (ids != null) {
          digest.update(ids.get(from + i).getBytes(StandardCharsets.UTF_8));
          digest.update((byte) 0);
        }
        values.clear();
        values.asFloatBuffer().put(block.array(), block.rowOffset(i), features());
        digest.update(values);
      }
    }
    return HexFormat.of().formatHex(digest.digest());
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

  /** Returns the id of the item in a row; the row number if there are no ids. */
  public String id(int row) {
    return ids == null ? Integer.toString(row) : ids.get(row);
  }

  /** Returns whether the items are texts. */
  public boolean hasTexts() {
    return texts != null;
  }

  /** Returns the text of the item in a row, if the items are texts. */
  public String text(int row) {
    return texts.get(row);
  }

  /** Returns the row of an item; empty if it does not exist. */
  public OptionalInt row(String id) {
    if (ids != null) {
      Integer row = rowOf.get(id);
      return row == null ? OptionalInt.empty() : OptionalInt.of(row);
    }
    // In canonical form only: 007 is not 7.
    String text = id.strip();
    if (!text.matches("0|[1-9]\\d{0,9}")) {
      return OptionalInt.empty();
    }
    long row = Long.parseLong(text);
    return row < size() ? OptionalInt.of((int) row) : OptionalInt.empty();
  }
}
