package org.alfamix.math;

/**
 * Equally long rows of floats that can be read block by block.
 *
 * <p>Whatever only scans a pool asks for {@code Rows}, so that the pool may live elsewhere (in a
 * file, say) and never has to be in memory as a whole. A {@link FloatMatrix} is the case where it
 * is.
 */
public interface Rows {

  /** Number of rows. */
  int rows();

  /** Length of every row. */
  int columns();

  /**
   * The rows {@code from} (inclusive) to {@code to} (exclusive). What is returned may be a view of
   * the original or a copy; treat it as read-only. Must be safe to call from several threads.
   */
  FloatMatrix slice(int from, int to);

  /** All rows at once; override where that needs no copy. */
  default FloatMatrix toMatrix() {
    return slice(0, rows());
  }

  /** A copy of the rows with these numbers, in their order. */
  default FloatMatrix gather(int[] indices) {
    FloatMatrix result = FloatMatrix.zeros(indices.length, columns());
    for (int i = 0; i < indices.length; ) {
      // Neighbours are read together.
      int end = i + 1;
      while (end < indices.length && indices[end] == indices[end - 1] + 1) {
        end++;
      }
      FloatMatrix run = slice(indices[i], indices[end - 1] + 1);
      int values = run.rows() * run.columns();
      System.arraycopy(run.array(), run.rowOffset(0), result.array(), result.rowOffset(i), values);
      i = end;
    }
    return result;
  }

  /** What to call a row in a message; override where a file and a place in it can be named. */
  default String describe(int row) {
    return "row " + row;
  }

  /** The rows with these numbers, which ascend; nothing is read before it is asked for. */
  default Rows subset(int[] indices) {
    return new SubsetRows(this, indices);
  }

  /** Every row divided by its Euclidean norm, computed whenever it is read. */
  default Rows normalized() {
    return new NormalizedRows(this);
  }
}
