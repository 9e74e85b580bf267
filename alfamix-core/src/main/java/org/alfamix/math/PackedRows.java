package org.alfamix.math;

/**
 * The rows of a matrix, rearranged so that the block product reads them sequentially.
 *
 * <p>Rows are grouped into panels. Within a panel the values of one column are contiguous ({@code
 * panel[d · width + j]}), so that a product adds {@code a[d] · panel[d]} with full vectors and
 * never sums across the lanes of a vector. The last panel is padded with zero rows.
 */
public final class PackedRows {
  private final float[] panels;
  private final int rows;
  private final int columns;
  private final int width;

  private PackedRows(int rows, int columns, int width) {
    this.rows = rows;
    this.columns = columns;
    this.width = width;
    long size = (long) stride() * columns;
    if (size > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%d x %d is too large to pack; split the rows.".formatted(rows, columns));
    }
    this.panels = new float[(int) size];
  }

  static PackedRows of(FloatMatrix matrix, int width) {
    PackedRows result = new PackedRows(matrix.rows(), matrix.columns(), width);
    Parallel.forBlocks(result.rows, width, (from, to) -> result.packPanel(matrix, from, to));
    return result;
  }

  /** Packs the columns of a matrix as rows: a panel holds the next few values of every row. */
  static PackedRows ofColumns(FloatMatrix matrix, int width) {
    PackedRows result = new PackedRows(matrix.columns(), matrix.rows(), width);
    for (int from = 0; from < result.rows; from += width) {
      int count = Math.min(width, result.rows - from);
      int at = from * result.columns;
      for (int d = 0; d < result.columns; d++, at += width) {
        System.arraycopy(matrix.array(), matrix.rowOffset(d) + from, result.panels, at, count);
      }
    }
    return result;
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
   * Returns the distance between the rows of a result: the number of packed rows, rounded up to
   * whole panels.
   */
  public int stride() {
    return stride(0, rows);
  }

  /** Returns the stride of a product with only the packed rows {@code from} to {@code to}. */
  public int stride(int from, int to) {
    return (to - from + width - 1) / width * width;
  }

  /** Returns the number of rows per panel; ranges of packed rows start at multiples of it. */
  public int width() {
    return width;
  }

  float[] panels() {
    return panels;
  }
}
