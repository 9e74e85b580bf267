package org.alfamix.math;

/**
 * The rows of a matrix, rearranged once so that the block product can stream them.
 *
 * <p>Rows are grouped into panels; within a panel the values of one column stand side by side
 * ({@code panel[d · width + j]}), so that a product adds {@code a[d] · panel[d]} with full vectors
 * and never has to sum across the lanes of one. The last panel is padded with zero rows.
 */
public final class PackedRows {
  private final float[] panels;
  private final int rows;
  private final int columns;
  private final int width;

  PackedRows(FloatMatrix matrix, int width) {
    this.rows = matrix.rows();
    this.columns = matrix.columns();
    this.width = width;
    long size = (long) stride() * columns;
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%d x %d is too large to pack; split the rows.".formatted(rows, columns));
    }
    this.panels = new float[(int) size];
    Parallel.forBlocks(rows, width, (from, to) -> packPanel(matrix, from, to));
  }

  private void packPanel(FloatMatrix matrix, int from, int to) {
    float[] source = matrix.array();
    int first = matrix.rowOffset(from);
    int panel = from * columns;
    for (int d = 0; d < columns; d++, panel += width) {
      for (int j = 0; j < to - from; j++) {
        panels[panel + j] = source[first + j * columns + d];
      }
    }
  }

  public int rows() {
    return rows;
  }

  public int columns() {
    return columns;
  }

  /**
   * Distance between the rows of a result: the number of packed rows, rounded up to whole panels.
   */
  public int stride() {
    return stride(0, rows);
  }

  /** The same for a product with the packed rows from {@code from} to {@code to} alone. */
  public int stride(int from, int to) {
    return (to - from + width - 1) / width * width;
  }

  /** Ranges of packed rows begin at multiples of this. */
  public int width() {
    return width;
  }

  float[] panels() {
    return panels;
  }
}
