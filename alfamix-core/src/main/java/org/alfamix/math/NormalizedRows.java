package org.alfamix.math;

/** Rows divided by their Euclidean norm; the underlying rows are unchanged. */
final class NormalizedRows implements Rows {
  private final Rows base;

  NormalizedRows(Rows base) {
    this.base = base;
  }

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
    FloatMatrix result = base.slice(from, to).copy();
    Kernels.normalizeRows(result);
    return result;
  }

  @Override
  public FloatMatrix gather(int[] indices) {
    FloatMatrix result = base.gather(indices);
    Kernels.normalizeRows(result);
    return result;
  }

  @Override
  public String describe(int row) {
    return base.describe(row);
  }
}
