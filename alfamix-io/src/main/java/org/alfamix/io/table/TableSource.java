package org.alfamix.io.table;

import java.util.List;

/** A table that is read row by row. */
public interface TableSource extends AutoCloseable {

  /** Returns the name for messages: the file or the query. */
  String name();

  /** Returns the names of the columns. */
  List<String> columns();

  /**
   * Restricts reading to these columns; −1 is ignored. Must be called before the first row is read.
   */
  default void use(int... columns) {}

  /**
   * Sorts the rows by a column if the table has no inherent order, like the result of a query. Rows
   * of a file keep their order. Must be called before the first row is read.
   */
  default void orderBy(int column) {}

  /** Moves to the next row; returns false at the end. The first call moves to the first row. */
  boolean next();

  /** Returns the position of the current row, such as {@code line 17}. */
  String place();

  /** Returns a value of the current row as text; null if missing. */
  String text(int column);

  /** Returns a value of the current row as a number; fails unless it is finite. */
  float number(int column);

  /** Returns a value of the current row that is a list of numbers. */
  float[] vector(int column);

  @Override
  void close();
}
