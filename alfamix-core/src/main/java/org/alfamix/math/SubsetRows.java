package org.alfamix.math;

import java.util.Arrays;
import java.util.Objects;

/** A view of some rows, in ascending order. */
final class SubsetRows implements Rows {
  private final Rows base;
  private final int[] indices;

  SubsetRows(Rows base, int[] indices) {
    for (int i = 0; i < indices.length; i++) {
      Objects.checkIndex(indices[i], base.rows());
      if (i > 0 && indices[i] <= indices[i - 1]) {
        throw new IllegalArgumentException(
            "Row indices of a subset must be ascending, got %d after %d."
                .formatted(indices[i], indices[i - 1]));
      }
    }
    this.base = base;
    this.indices = indices.clone();
  }

  @Override
  public int rows() {
    return indices.length;
  }

  @Override
  public int columns() {
    return base.columns();
  }

  @Override
  public FloatMatrix slice(int from, int to) {
    Objects.checkFromToIndex(from, to, indices.length);
    // Consecutive rows are a range of the underlying rows and need no copy.
    if (from < to && indices[to - 1] - indices[from] == to - 1 - from) {
      return base.slice(indices[from], indices[to - 1] + 1);
    }
    return base.gather(Arrays.copyOfRange(indices, from, to));
  }

  @Override
  public FloatMatrix gather(int[] positions) {
    int[] rows = new int[positions.length];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = indices[positions[i]];
    }
    return base.gather(rows);
  }

  @Override
  public String describe(int row) {
    return base.describe(indices[row]);
  }
}
