package org.alfamix.tables;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import org.alfamix.data.DataException;
import org.alfamix.data.table.TableEngine;
import org.alfamix.data.table.TableSource;

/** Parquet and SQL by an embedded DuckDB, which lives as long as a table is read or written. */
public final class DuckDb implements TableEngine {
  private static final int BATCH = 10_000;

  static Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:duckdb:");
  }

  /** A connection that gives rows as they are found, instead of the whole answer at the end. */
  static Connection connectStreaming() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("jdbc_stream_results", "true");
    return DriverManager.getConnection("jdbc:duckdb:", properties);
  }

  @Override
  public TableSource openParquet(List<Path> files) {
    for (Path file : files) {
      if (!Files.exists(file)) {
        throw new DataException(file + ": no such file.");
      }
    }
    String name = files.get(0) + (files.size() == 1 ? "" : " and others");
    String list =
        files.stream().map(file -> literal(file.toString())).collect(Collectors.joining(", "));
    return new DuckDbTable(name, "read_parquet([" + list + "])");
  }

  @Override
  public TableSource query(String sql) {
    return new DuckDbTable("the query", "(" + withoutSemicolon(sql) + "\n)");
  }

  private static String withoutSemicolon(String sql) {
    String stripped = sql.strip();
    return stripped.endsWith(";") ? stripped.substring(0, stripped.length() - 1) : stripped;
  }

  static String literal(String text) {
    return "'" + text.replace("'", "''") + "'";
  }

  static String identifier(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  /** The first line of DuckDB's message: the others point into the query. */
  static String reason(SQLException e) {
    String line = String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
    return line.replaceAll("[.,]$", "") + ".";
  }

  @Override
  public void writeParquet(Path file, List<Column> columns) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(
          columns.stream()
              .map(column -> identifier(column.name()) + " " + sqlType(column.type()))
              .collect(Collectors.joining(", ", "CREATE TABLE t (", ")")));
      String places = String.join(", ", Collections.nCopies(columns.size(), "?"));
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO t VALUES (" + places + ")")) {
        int rows = columns.get(0).values().size();
        for (int row = 0; row < rows; row++) {
          for (int c = 0; c < columns.size(); c++) {
            insert.setObject(c + 1, columns.get(c).values().get(row));
          }
          insert.addBatch();
          if ((row + 1) % BATCH == 0 || row == rows - 1) {
            insert.executeBatch();
          }
        }
      }
      statement.execute("COPY t TO " + literal(file.toString()) + " (FORMAT parquet)");
    } catch (SQLException e) {
      throw new DataException(file + ": cannot be written: " + reason(e), e);
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
