package org.alfamix.io.table;

import java.util.List;
import org.alfamix.io.DataException;

/** A table that is read row by row. */
public interface TableSource extends AutoCloseable {

  /** Returns the name for messages: the file or the query. */
  String name();

  /** Returns the names of the columns. */
  List<String> columns();

  /**
   * Returns the position of a column.
   *
   * @throws DataException if there is no column of this name
   */
  default int requireColumn(String name) {
    int at = columns().indexOf(name);
    if (at < 0) {
      throw new DataException(
          "%s: no column '%s'; the columns are %s."
              .formatted(name(), name, String.join(", ", columns())));
    }
    return at;
  }

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
