package org.alfamix.math;

import java.util.Arrays;
import java.util.Objects;
import org.alfamix.error.InvalidDataException;

/**
 * A dense row-major matrix of floats: a window of consecutive rows over one array.
 *
 * <p>The array is shared, never copied, by {@link #wrap} and {@link #slice}: this is the type in
 * which a pool crosses from a framework into the engine, and a copy of it is what one cannot
 * afford.
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

  /** A matrix of zeros. */
  public static FloatMatrix zeros(int rows, int columns) {
    return new FloatMatrix(new float[checkedSize(rows, columns)], 0, rows, columns);
  }

  /** A view of {@code array}, row by row; later writes to the array show in the matrix. */
  public static FloatMatrix wrap(float[] array, int rows, int columns) {
    if (array.length != checkedSize(rows, columns)) {
      throw new IllegalArgumentException(
          "A %d x %d matrix needs %d values, got %d."
              .formatted(rows, columns, (long) rows * columns, array.length));
    }
    return new FloatMatrix(array, 0, rows, columns);
  }

  /** A copy of equally long rows. */
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

  /** The shared array; row {@code i} begins at {@link #rowOffset}. */
  public float[] array() {
    return array;
  }

  /** Where row {@code i} begins in {@link #array}. */
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

  /** A copy of row {@code i}. */
  public float[] row(int i) {
    Objects.checkIndex(i, rows);
    return Arrays.copyOfRange(array, rowOffset(i), rowOffset(i) + columns);
  }

  /** A view of consecutive rows; nothing is copied. */
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

  /** Copies all rows to those of {@code target} from {@code firstRow} on. */
  public void copyTo(FloatMatrix target, int firstRow) {
    if (target.columns != columns) {
      throw new IllegalArgumentException(
          "Row lengths differ: " + columns + " != " + target.columns + ".");
    }
    Objects.checkFromIndexSize(firstRow, rows, target.rows);
    System.arraycopy(array, offset, target.array, target.rowOffset(firstRow), rows * columns);
  }

  /** The mean of the rows; zeros where there are none. Sums are taken in double. */
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

  /** A copy with this row subtracted from every row. */
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

  /** A copy with rows and columns exchanged. */
  public FloatMatrix transposed() {
    FloatMatrix result = zeros(columns, rows);
    // A few rows at a time: their values go to neighbouring places.
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

  /** A copy that shares nothing. */
  public FloatMatrix copy() {
    return new FloatMatrix(
        Arrays.copyOfRange(array, offset, offset + rows * columns), 0, rows, columns);
  }

  /**
   * Returns this matrix if every value is finite.
   *
   * @param name what the matrix is, for the message
   * @throws IllegalArgumentException naming the first row and column that holds NaN or an infinity
   */
  public FloatMatrix requireFinite(String name) {
    return requireFinite(name, 0);
  }

  /**
   * As {@link #requireFinite(String)}, for a slice that begins at row {@code firstRow} of the
   * whole.
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
