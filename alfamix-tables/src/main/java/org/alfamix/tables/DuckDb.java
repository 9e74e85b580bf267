package org.alfamix.tables;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableEngine;
import org.alfamix.io.table.TableSource;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.duckdb.DuckDBDriver;

/** Parquet and SQL with an embedded DuckDB, which exists while a table is read or written. */
public final class DuckDb implements TableEngine {
  private static Connection connect(Properties properties) throws SQLException {
    try {
      // DriverManager does not find a driver on a class path that was added at run time.
      return new DuckDBDriver().connect("jdbc:duckdb:", properties);
    } catch (LinkageError e) {
      // The library is unpacked to the temporary folder, which may be full.
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new UncheckedIOException(
          new IOException("DuckDB cannot be loaded: " + cause.getMessage(), e));
    }
  }

  /** Returns a connection that streams rows instead of collecting the whole result first. */
  static Connection connectStreaming() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("jdbc_stream_results", "true");
    return connect(properties);
  }

  @Override
  public TableSource openParquet(Path file) {
    // Otherwise a folder named f0=9 would become a column.
    String path = literal(escaped(file.toString()));
    return new DuckDbTable(
        file.toString(), "read_parquet(" + path + ", hive_partitioning = false)", null);
  }

  @Override
  public TableSource query(String sql) {
    try (Connection connection = connect(new Properties())) {
      // Checks the query unchanged, so that messages refer to the text of the user.
      connection.prepareStatement(sql).close();
    } catch (SQLException e) {
      throw new DataException("SQL query failed: " + reason(e), e);
    }
    return new DuckDbTable("SQL query", DuckDbTable.VIEW, sql);
  }

  /** Escapes a path by brackets, because DuckDB interprets every path as a glob pattern. */
  private static String escaped(String path) {
    return path.replaceAll("[*?\\[]", "[$0]");
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** Returns the first line of DuckDB's message; the others point into the query. */
  static String reason(SQLException e) {
    String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
    return line.replaceAll("[.,]$", "") + ".";
  }

  @Override
  public void writeParquet(Path file, List<Column> columns) throws IOException {
    try (Connection connection = connect(new Properties());
        Statement statement = connection.createStatement()) {
      statement.execute(
          columns.stream()
              .map(column -> identifier(column.name()) + " " + sqlType(column.type()))
              .collect(Collectors.joining(", ", "CREATE TABLE t (", ")")));
      int rows = columns.get(0).values().size();
      try (DuckDBAppender appender =
          connection.unwrap(DuckDBConnection.class).createAppender("main", "t")) {
        for (int row = 0; row < rows; row++) {
          appender.beginRow();
          for (Column column : columns) {
            append(appender, column.values().get(row));
          }
          appender.endRow();
        }
      }
      statement.execute("COPY t TO " + literal(file.toString()) + " (FORMAT parquet)");
    } catch (SQLException e) {
      throw new IOException(reason(e), e);
    }
  }

  private static void append(DuckDBAppender appender, Object value) throws SQLException {
    if (value == null) {
      appender.appendNull();
    } else if (value instanceof Long number) {
      appender.append(number.longValue());
    } else if (value instanceof Double number) {
      appender.append(number.doubleValue());
    } else {
      appender.append(value.toString());
    }
  }

  private static String sqlType(Type type) {
    return switch (type) {
      case TEXT -> "VARCHAR";
      case LONG -> "BIGINT";
      case DOUBLE -> "DOUBLE";
    };
  }
}
