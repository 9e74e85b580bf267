package org.alfamix.select;

import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/**
 * Rows in memory that keep the descriptions of the rows they were copied from.
 *
 * @param matrix the copies
 * @param origin the rows that were copied from
 * @param originRows the row in the origin of each row
 */
record CopiedRows(FloatMatrix matrix, Rows origin, int[] originRows) implements Rows {

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
  public String describe(int row) {
    return origin.describe(originRows[row]);
  }
}
