package org.alfamix.io.table;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What reads and writes Parquet and answers SQL. It comes with a module of its own ({@code
 * alfamix-tables}), found at run time, because it brings a database of 80 MB along.
 */
public interface TableEngine {

  /** A Parquet file. */
  TableSource openParquet(Path file);

  /** The answer to a query. */
  TableSource query(String sql);

  /** Writes a Parquet file; whatever was there is replaced. */
  void writeParquet(Path file, List<Column> columns) throws IOException;

  /**
   * A column to write.
   *
   * @param values one per row; null where it is missing
   */
  record Column(String name, Type type, List<?> values) {}

  /** What a column holds. */
  enum Type {
    TEXT,
    LONG,
    DOUBLE
  }
}
