package org.alfamix.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.spark.InternalRows.TableRow;
import org.apache.spark.api.java.function.FlatMapFunction;

/**
 * Packs rows of (id, embedding) into blocks.
 *
 * @param features length of an embedding
 * @param size maximum number of rows of a block
 * @param normalize whether embeddings are divided by their norm
 */
record BlockReader(int features, int size, boolean normalize)
    implements FlatMapFunction<Iterator<TableRow>, ReadBlock>, Serializable {
  static final String NO_ID = "a row has no id";

  /** The maximum number of values of a block: 64 MB. */
  private static final int MAX_VALUES = 1 << 24;

  /** The initial capacity of a block, in rows; many partitions are not larger. */
  private static final int FIRST_ROWS = 512;

  @Override
  public Iterator<ReadBlock> call(Iterator<TableRow> rows) {
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        return rows.hasNext();
      }

      @Override
      public ReadBlock next() {
        if (!rows.hasNext()) {
          throw new NoSuchElementException();
        }
        return Parallel.sequentially(() -> read(rows));
      }
    };
  }

  private ReadBlock read(Iterator<TableRow> rows) {
    int most = Math.max(1, Math.min(size, MAX_VALUES / Math.max(1, features)));
    Comparable<?>[] ids = new Comparable<?>[Math.min(most, FIRST_ROWS)];
    float[] values = new float[Math.multiplyExact(ids.length, features)];
    BadRows bad = BadRows.NONE;
    int count = 0;
    while (count < most && rows.hasNext()) {
      TableRow row = rows.next();
      if (count == ids.length) {
        ids = Arrays.copyOf(ids, Math.min(most, 2 * count));
        values = Arrays.copyOf(values, ids.length * features);
      }
      String wrong = copy(row, ids, values, count);
      if (wrong == null) {
        count++;
      } else {
        bad = bad.and(new BadRows(1, row.id(), wrong));
      }
    }
    if (count < ids.length) {
      ids = Arrays.copyOf(ids, count);
      values = Arrays.copyOf(values, count * features);
    }
    PoolBlock block = new PoolBlock(ids, values, features);
    if (normalize) {
      Kernels.normalizeRows(block.rows());
    }
    return usable(block, bad);
  }

  /** Copies a row into the arrays; returns the problem if it is invalid, otherwise null. */
  private String copy(TableRow row, Comparable<?>[] ids, float[] values, int at) {
    Comparable<?> id = row.id();
    if (id == null) {
      return NO_ID;
    }
    if (!row.hasEmbedding()) {
      return "no embedding";
    }
    if (row.length() != features) {
      return ragged(row.length(), features);
    }
    int empty = row.firstNull();
    if (empty >= 0) {
      return "a null at position %d of its embedding".formatted(empty);
    }
    ids[at] = id;
    System.arraycopy(row.embedding(), 0, values, at * features, features);
    return null;
  }

  static String ragged(int found, int expected) {
    return "an embedding of %d values (expected %d)".formatted(found, expected);
  }

  /** Removes rows with values that are not finite or too large; one sum per row suffices. */
  private ReadBlock usable(PoolBlock block, BadRows bad) {
    FloatMatrix rows = block.rows();
    int[] good =
        IntStream.range(0, block.size())
            .filter(i -> Float.isFinite(Kernels.squaredNorm(rows, i)))
            .toArray();
    if (good.length == block.size()) {
      return new ReadBlock(block, bad);
    }
    BadRows all = bad;
    for (int i = 0; i < block.size(); i++) {
      if (!Float.isFinite(Kernels.squaredNorm(rows, i))) {
        all = all.and(new BadRows(1, block.id(i), wrong(rows, i)));
      }
    }
    return new ReadBlock(block.gather(good), all);
  }

  static String wrong(FloatMatrix rows, int i) {
    for (int d = 0; d < rows.columns(); d++) {
      if (!Float.isFinite(rows.get(i, d))) {
        return "%s at position %d of its embedding (expected a finite number)"
            .formatted(Float.toString(rows.get(i, d)), d);
      }
    }
    return "an embedding whose squared norm exceeds the range of float";
  }
}
