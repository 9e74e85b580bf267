package org.alfamix.io.array;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.Arrays;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/**
 * Collects rows one by one, for example from a table. Above a size limit it moves them to a
 * temporary file, which is deleted when the process ends.
 */
public final class RowsBuffer {
  private final String name;
  private final int columns;
  private final long maxBytes;
  private float[] values = new float[0];
  private int used;
  private int rows;
  private FileChannel spill;
  private long spilled;

  /**
   * @param name the source of the rows, for messages
   * @param maxBytes maximum number of bytes to keep in memory
   */
  public RowsBuffer(String name, int columns, long maxBytes) {
    this.name = name;
    this.columns = columns;
    // An array has less than 2^31 floats, including room to grow.
    this.maxBytes = Math.min(maxBytes, 4L << 30);
  }

  public void add(float[] row) {
    if (row.length != columns) {
      throw new IllegalArgumentException(
          "Row lengths differ: " + row.length + " != " + columns + ".");
    }
    if (used + columns > values.length) {
      grow();
    }
    System.arraycopy(row, 0, values, used, columns);
    used += columns;
    rows++;
  }

  public int columns() {
    return columns;
  }

  private void grow() {
    long wanted = Math.max(64L * columns, values.length + (values.length >> 1));
    if (4 * wanted > maxBytes && used > 0) {
      spillToFile();
    } else {
      values = Arrays.copyOf(values, (int) wanted);
    }
  }

  private void spillToFile() {
    try {
      if (spill == null) {
        spill = TemporaryChannel.open();
      }
      ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
      for (int from = 0; from < used; ) {
        int count = Math.min(bytes.capacity() / 4, used - from);
        bytes.clear();
        bytes.asFloatBuffer().put(values, from, count);
        bytes.limit(4 * count);
        while (bytes.hasRemaining()) {
          spilled += spill.write(bytes, spilled);
        }
        from += count;
      }
      used = 0;
    } catch (IOException e) {
      throw new UncheckedIOException(
          "Cannot write a temporary file for " + name + ": " + e.getMessage(), e);
    }
  }

  /** Returns the rows; none may be added afterwards. */
  public Rows finish() {
    if (spill == null) {
      FloatMatrix matrix = FloatMatrix.wrap(Arrays.copyOf(values, used), rows, columns);
      values = null;
      return new LoadedRows(matrix, row -> name + ", row " + row);
    }
    spillToFile();
    values = null;
    return new NumericArray(
            name,
            ByteSource.of(spill, name),
            0,
            ElementType.F4,
            ByteOrder.LITTLE_ENDIAN,
            rows,
            columns)
        .rows();
  }
}
