package org.alfamix.io.array;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/** A concatenation of several sets of rows. */
public final class ShardedRows implements Rows {
  private final Rows[] shards;

  /** The first row of each shard, followed by the total number of rows. */
  private final int[] starts;

  /** Creates a concatenation of shards, which must have the same number of columns. */
  public ShardedRows(List<Rows> shards) {
    this.shards = shards.toArray(Rows[]::new);
    this.starts = new int[this.shards.length + 1];
    for (int s = 0; s < this.shards.length; s++) {
      Rows shard = this.shards[s];
      if (shard.columns() != this.shards[0].columns()) {
        throw new DataException(
            "%s: %d features, but %s has %d."
                .formatted(
                    shard.describe(0),
                    shard.columns(),
                    this.shards[0].describe(0),
                    this.shards[0].columns()));
      }
      starts[s + 1] = Math.addExact(starts[s], shard.rows());
    }
  }

  @Override
  public int rows() {
    return starts[shards.length];
  }

  @Override
  public int columns() {
    return shards[0].columns();
  }

  @Override
  public FloatMatrix slice(int from, int to) {
    Objects.checkFromToIndex(from, to, rows());
    if (from == to) {
      return FloatMatrix.zeros(0, columns());
    }
    int s = shardOf(from);
    if (to <= starts[s + 1]) {
      return shards[s].slice(from - starts[s], to - starts[s]);
    }
    FloatMatrix result = FloatMatrix.zeros(to - from, columns());
    for (int at = from; at < to; ) {
      s = shardOf(at);
      int end = Math.min(to, starts[s + 1]);
      FloatMatrix part = shards[s].slice(at - starts[s], end - starts[s]);
      int values = part.rows() * part.columns();
      System.arraycopy(
          part.array(), part.rowOffset(0), result.array(), result.rowOffset(at - from), values);
      at = end;
    }
    return result;
  }

  @Override
  public String describe(int row) {
    int s = shardOf(row);
    return shards[s].describe(row - starts[s]);
  }

  private int shardOf(int row) {
    int at = Arrays.binarySearch(starts, row);
    if (at < 0) {
      return -at - 2;
    }
    // An empty shard starts at the same row as the next one.
    while (at < shards.length - 1 && starts[at + 1] == row) {
      at++;
    }
    return at;
  }
}
