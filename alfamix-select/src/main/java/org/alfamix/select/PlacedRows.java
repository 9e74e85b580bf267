package org.alfamix.select;

import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/**
 * Rows in memory that are described by their place in the origin.
 *
 * @param rows the rows
 * @param origin the rows that they were read from
 * @param places the row in the origin of each row
 */
record PlacedRows(FloatMatrix read, Rows origin, int[] places) implements Rows {

  @Override
  public int rows() {
    return read.rows();
  }

  @Override
  public int columns() {
    return read.columns();
  }

  @Override
  public FloatMatrix slice(int from, int to) {
    return read.slice(from, to);
  }

  @Override
  public String describe(int row) {
    return origin.describe(places[row]);
  }
}
