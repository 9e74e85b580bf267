package org.alfamix.math;

import java.util.Arrays;
import java.util.Objects;
import org.alfamix.error.InvalidDataException;

/**
 * A dense row-major matrix of floats: a window of consecutive rows over one array.
 *
 * <p>{@link #wrap} and {@link #slice} share the array and never copy it: this type passes a pool
 * from a framework to the engine, and a pool may be too large to copy.
 */
public final class FloatMatrix implements Rows {
  private final float[] array;
  private final int offset;
  private final int rows;
  private final int columns;

  private FloatMatrix(float[] array, int offset, int rows, int columns) {
    this.array = array;
    this.offset = offset;
    this.rows = rows;
    this.columns = columns;
  }

  /** Returns a matrix of zeros. */
  public static FloatMatrix zeros(int rows, int columns) {
    return new FloatMatrix(new float[checkedSize(rows, columns)], 0, rows, columns);
  }

  /**
   * Returns a view of {@code array}, row by row; later writes to the array are visible in the
   * matrix.
   */
  public static FloatMatrix wrap(float[] array, int rows, int columns) {
    if (array.length != checkedSize(rows, columns)) {
      throw new IllegalArgumentException(
          "A %d x %d matrix needs %d values, got %d."
              .formatted(rows, columns, (long) rows * columns, array.length));
    }
    return new FloatMatrix(array, 0, rows, columns);
  }

  /** Copies rows of equal length to a matrix. */
  public static FloatMatrix of(float[]... rows) {
    int columns = rows.length == 0 ? 0 : rows[0].length;
    FloatMatrix matrix = zeros(rows.length, columns);
    for (int i = 0; i < rows.length; i++) {
      if (rows[i].length != columns) {
        throw new IllegalArgumentException(
            "Row %d has %d values, row 0 has %d.".formatted(i, rows[i].length, columns));
      }
      System.arraycopy(rows[i], 0, matrix.array, i * columns, columns);
    }
    return matrix;
  }

  private static int checkedSize(int rows, int columns) {
    if (rows < 0 || columns < 0) {
      throw new IllegalArgumentException("Negative size: %d x %d.".formatted(rows, columns));
    }
    long size = (long) rows * columns;
    // A few array slots below 2^31 cannot be allocated.
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "A %d x %d matrix has %d values, more than one array can hold; read it in blocks."
              .formatted(rows, columns, size));
    }
    return (int) size;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public int columns() {
    return columns;
  }

  /** Returns the shared array; row {@code i} starts at {@link #rowOffset}. */
  public float[] array() {
    return array;
  }

  /** Returns the index in {@link #array} at which row {@code i} starts. */
  public int rowOffset(int i) {
    return offset + i * columns;
  }

  public float get(int i, int j) {
    Objects.checkIndex(i, rows);
    Objects.checkIndex(j, columns);
    return array[offset + i * columns + j];
  }

  public void set(int i, int j, float value) {
    Objects.checkIndex(i, rows);
    Objects.checkIndex(j, columns);
    array[offset + i * columns + j] = value;
  }

  /** Returns a copy of row {@code i}. */
  public float[] row(int i) {
    Objects.checkIndex(i, rows);
    return Arrays.copyOfRange(array, rowOffset(i), rowOffset(i) + columns);
  }

  /** Returns a view of consecutive rows, without copying. */
  @Override
  public FloatMatrix slice(int from, int to) {
    Objects.checkFromToIndex(from, to, rows);
    return new FloatMatrix(array, rowOffset(from), to - from, columns);
  }

  @Override
  public FloatMatrix toMatrix() {
    return this;
  }

  @Override
  public FloatMatrix gather(int[] indices) {
    FloatMatrix result = zeros(indices.length, columns);
    for (int i = 0; i < indices.length; i++) {
      Objects.checkIndex(indices[i], rows);
      System.arraycopy(array, rowOffset(indices[i]), result.array, i * columns, columns);
    }
    return result;
  }

  /** Copies all rows to {@code target}, starting at its row {@code firstRow}. */
  public void copyTo(FloatMatrix target, int firstRow) {
    if (target.columns != columns) {
      throw new IllegalArgumentException(
          "Row lengths differ: " + columns + " != " + target.columns + ".");
    }
    Objects.checkFromIndexSize(firstRow, rows, target.rows);
    System.arraycopy(array, offset, target.array, target.rowOffset(firstRow), rows * columns);
  }

  /** Returns the mean of the rows, summed in double precision; zeros if there are no rows. */
  public float[] columnMeans() {
    double[] sums = new double[columns];
    for (int i = 0; i < rows; i++) {
      for (int d = 0; d < columns; d++) {
        sums[d] += array[offset + i * columns + d];
      }
    }
    float[] means = new float[columns];
    for (int d = 0; d < columns; d++) {
      means[d] = (float) (sums[d] / Math.max(1, rows));
    }
    return means;
  }

  /** Returns a copy with {@code row} subtracted from every row. */
  public FloatMatrix minus(float[] row) {
    if (row.length != columns) {
      throw new IllegalArgumentException(
          "Row lengths differ: " + row.length + " != " + columns + ".");
    }
    FloatMatrix result = copy();
    for (int i = 0; i < rows; i++) {
      Kernels.axpy(-1, row, 0, result.array, i * columns, columns);
    }
    return result;
  }

  /** Returns the transpose as a copy. */
  public FloatMatrix transposed() {
    FloatMatrix result = zeros(columns, rows);
    // Tiles of a few rows, so that writes go to neighbouring addresses.
    int tile = 16;
    for (int from = 0; from < rows; from += tile) {
      int to = Math.min(rows, from + tile);
      for (int j = 0; j < columns; j++) {
        for (int i = from; i < to; i++) {
          result.array[j * rows + i] = array[offset + i * columns + j];
        }
      }
    }
    return result;
  }

  /** Returns a copy with its own array. */
  public FloatMatrix copy() {
    return new FloatMatrix(
        Arrays.copyOfRange(array, offset, offset + rows * columns), 0, rows, columns);
  }

  /**
   * Returns this matrix if every value is finite.
   *
   * @param name name of the matrix, for the message
   * @throws IllegalArgumentException with the row and column of the first value that is NaN or
   *     infinite
   */
  public FloatMatrix requireFinite(String name) {
    return requireFinite(name, 0);
  }

  /**
   * Like {@link #requireFinite(String)}, for a slice that starts at row {@code firstRow} of the
   * whole matrix.
   */
  public FloatMatrix requireFinite(String name, int firstRow) {
    int end = offset + rows * columns;
    if (!Kernels.allFinite(array, offset, end)) {
      for (int at = offset; at < end; at++) {
        if (!Float.isFinite(array[at])) {
          int position = at - offset;
          throw new InvalidDataException(
              "%s: row %d, column %d is %s, expected a finite number."
                  .formatted(name, firstRow + position / columns, position % columns, array[at]));
        }
      }
    }
    return this;
  }

  @Override
  public String toString() {
    return "FloatMatrix[%d x %d]".formatted(rows, columns);
  }
}
