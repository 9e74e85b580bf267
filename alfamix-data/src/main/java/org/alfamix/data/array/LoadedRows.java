package org.alfamix.data.array;

import java.util.function.IntFunction;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;

/** Rows in memory that know where they came from. */
public final class LoadedRows implements Rows {
  private static final int BLOCK = 2048;

  private final FloatMatrix matrix;
  private final IntFunction<String> description;

  LoadedRows(FloatMatrix matrix, IntFunction<String> description) {
    this.matrix = matrix;
    this.description = description;
  }

  /** Reads all rows, unless that takes more than so many bytes: then they stay where they are. */
  public static Rows loadIfWithin(long mostBytes, Rows rows) {
    if (4L * rows.rows() * rows.columns() > mostBytes) {
      return rows;
    }
    FloatMatrix matrix = FloatMatrix.zeros(rows.rows(), rows.columns());
    Parallel.forBlocks(
        rows.rows(),
        BLOCK,
        (from, to) -> {
          FloatMatrix block = rows.slice(from, to);
          int values = block.rows() * block.columns();
          System.arraycopy(
              block.array(), block.rowOffset(0), matrix.array(), matrix.rowOffset(from), values);
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
