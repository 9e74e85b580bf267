package org.alfamix.math;

/**
 * Rows of floats of equal length that can be read block by block.
 *
 * <p>Methods that only scan a pool take {@code Rows}, so that the pool need not be in memory: its
 * rows may be read from a file, for example. A {@link FloatMatrix} holds all rows in memory.
 */
public interface Rows {

  /** Returns the number of rows. */
  int rows();

  /** Returns the length of every row. */
  int columns();

  /**
   * Returns the rows {@code from} (inclusive) to {@code to} (exclusive). The result may be a view
   * or a copy; treat it as read-only. Implementations must be thread-safe.
   */
  FloatMatrix slice(int from, int to);

  /** Returns all rows; override this method if no copy is needed. */
  default FloatMatrix toMatrix() {
    return slice(0, rows());
  }

  /** Returns a copy of the rows with these indices, in their order. */
  default FloatMatrix gather(int[] indices) {
    FloatMatrix result = FloatMatrix.zeros(indices.length, columns());
    for (int i = 0; i < indices.length; ) {
      // Read runs of consecutive rows at once.
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

  /**
   * Returns the name of a row for messages; override this method to name a file and a line in it.
   */
  default String describe(int row) {
    return "row " + row;
  }

  /** Returns a lazy view of the rows with these indices, which must be ascending. */
  default Rows subset(int[] indices) {
    return new SubsetRows(this, indices);
  }

  /** Returns a view with every row divided by its Euclidean norm, computed on each read. */
  default Rows normalized() {
    return new NormalizedRows(this);
  }
}
