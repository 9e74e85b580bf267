package org.alfamix.io.array;

import java.util.function.IntFunction;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;

/** Rows in memory that keep the description of their source. */
public final class LoadedRows implements Rows {
  private static final int BLOCK = 2048;

  /** The maximum length of an array. */
  private static final long MAX_VALUES = Integer.MAX_VALUE - 8;

  private final FloatMatrix matrix;
  private final IntFunction<String> description;

  LoadedRows(FloatMatrix matrix, IntFunction<String> description) {
    this.matrix = matrix;
    this.description = description;
  }

  /**
   * Reads all rows into memory if they fit into {@code maxBytes}; otherwise returns them as given.
   */
  public static Rows loadIfWithin(long maxBytes, Rows rows) {
    long values = (long) rows.rows() * rows.columns();
    boolean inMemory = rows instanceof LoadedRows || rows instanceof FloatMatrix;
    if (inMemory || values > Math.min(maxBytes / 4, MAX_VALUES)) {
      return rows;
    }
    FloatMatrix matrix = FloatMatrix.zeros(rows.rows(), rows.columns());
    Parallel.forBlocks(
        rows.rows(),
        BLOCK,
        (from, to) -> {
          FloatMatrix block = rows.slice(from, to);
          System.arraycopy(
              block.array(),
              block.rowOffset(0),
              matrix.array(),
              matrix.rowOffset(from),
              block.rows() * block.columns());
        });
    return new LoadedRows(matrix, rows::describe);
  }

  @Override
  public int rows() {
    return matrix.rows();
  }

  @Override
  public int columns() {
    return matrix.columns();
  }

  @Override
  public FloatMatrix slice(int from, int to) {
    return matrix.slice(from, to);
  }

  @Override
  public FloatMatrix toMatrix() {
    return matrix;
  }

  @Override
  public FloatMatrix gather(int[] indices) {
    return matrix.gather(indices);
  }

  @Override
  public String describe(int row) {
    return description.apply(row);
  }
}
