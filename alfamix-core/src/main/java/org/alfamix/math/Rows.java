package org.alfamix.math;

/**
 * Equally long rows of floats that can be read block by block.
 *
 * <p>Whatever only scans a pool asks for {@code Rows}, so that the pool may live elsewhere (a
 * mapped file, say) and never has to be in memory as a whole. A {@link FloatMatrix} is the case
 * where it is.
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
}
