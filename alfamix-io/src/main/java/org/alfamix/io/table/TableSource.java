package org.alfamix.io.table;

import java.util.List;

/** A table that is read row by row. */
public interface TableSource extends AutoCloseable {

  /** What it is called in messages: its file, or the query. */
  String name();

  /** The names of its columns. */
  List<String> columns();

  /** Says, before the first row, that only these columns will be asked for; −1 stands for none. */
  default void use(int... columns) {}

  /**
   * Asks, before the first row, for the rows in the order of a column where the table has no order
   * of its own, as the answer to a query. A file keeps its order.
   */
  default void orderBy(int column) {}

  /** Moves to the next row; false where there is none. The first call moves to the first row. */
  boolean next();

  /** Where the current row is, as {@code line 17}. */
  String place();

  /** A value of the current row as text; null where it is missing. */
  String text(int column);

  /** A value of the current row as a number; a finite one, or an exception says what was there. */
  float number(int column);

  /** A value of the current row that is a list of numbers. */
  float[] vector(int column);

  @Override
  void close();
}
