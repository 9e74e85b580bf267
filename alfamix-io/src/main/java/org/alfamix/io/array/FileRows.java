package org.alfamix.io.array;

import java.util.Objects;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/** Rows that are read from a file on demand. */
final class FileRows implements Rows {
  private final NumericArray array;
  private final String name;
  private final long first;
  private final int rows;
  private final int columns;

  FileRows(NumericArray array, String name, long first, int rows, int columns) {
    this.array = array;
    this.name = name;
    this.first = first;
    this.rows = rows;
    this.columns = columns;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public int columns() {
    return columns;
  }

  @Override
  public FloatMatrix slice(int from, int to) {
    Objects.checkFromToIndex(from, to, rows);
    FloatMatrix result = FloatMatrix.zeros(to - from, columns);
    long start = first + (long) from * columns;
    array.readFloats(start, result.array(), 0, (to - from) * columns);
    return result;
  }

  @Override
  public String describe(int row) {
    return name + ", row " + row;
  }
}
