package org.alfamix.select;

import java.util.concurrent.atomic.LongAdder;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/** Rows that count how many of them were read, for a progress display. */
record CountedRows(Rows base, LongAdder counter) implements Rows {

  @Override
  public int rows() {
    return base.rows();
  }

  @Override
  public int columns() {
    return base.columns();
  }

  @Override
  public FloatMatrix slice(int from, int to) {
    FloatMatrix result = base.slice(from, to);
    counter.add(to - from);
    return result;
  }

  @Override
  public FloatMatrix gather(int[] indices) {
    FloatMatrix result = base.gather(indices);
    counter.add(indices.length);
    return result;
  }

  @Override
  public FloatMatrix toMatrix() {
    return base.toMatrix();
  }

  @Override
  public String describe(int row) {
    return base.describe(row);
  }
}
