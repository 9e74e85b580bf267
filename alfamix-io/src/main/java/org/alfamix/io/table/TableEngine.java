package org.alfamix.io.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Reads and writes Parquet and runs SQL queries. The implementation is in a separate module ({@code
 * alfamix-tables}) that is found at run time, because it includes a database of 80 MB.
 */
public interface TableEngine {

  /** Opens a Parquet file. */
  TableSource openParquet(Path file);

  /** Runs a query and returns its result. */
  TableSource query(String sql);

  /** Writes a Parquet file, replacing an existing one. */
  void writeParquet(Path file, List<Column> columns) throws IOException;

  /**
   * A column to write.
   *
   * @param values one value per row; null if missing
   */
  record Column(String name, Type type, List<?> values) {}

  /** The type of a column. */
  enum Type {
    TEXT,
    LONG,
    DOUBLE
  }
}
