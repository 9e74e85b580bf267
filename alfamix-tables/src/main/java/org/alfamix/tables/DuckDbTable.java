package org.alfamix.tables;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;

/** A table or query of DuckDB. Only the requested columns are read. */
final class DuckDbTable implements TableSource {
  /** The name of the view of a query. */
  static final String VIEW = "alfamix_query";

  private final String name;
  private final String relation;
  private final boolean query;
  private Connection connection;
  private final List<String> columns = new ArrayList<>();

  /** The position of each column in the result, from 1; 0 if it was not requested. */
  private int[] position;

  private String order = "";
  private ResultSet rows;
  private long row = -1;

  /**
   * @param query the definition of {@link #VIEW}, or null. Its rows have no inherent order and are
   *     computed by one thread, because the order of groups and joins, and the last digits of sums,
   *     depend on the number of threads.
   */
  DuckDbTable(String name, String relation, String query) {
    this.name = name;
    this.relation = relation;
    this.query = query != null;
    try {
      this.connection = DuckDb.connectStreaming();
      if (query != null) {
        try (Statement statement = connection.createStatement()) {
          statement.execute("SET threads = 1");
          // The query is at the end, so that it may end with semicolons and comments.
          statement.execute("CREATE TEMP VIEW " + VIEW + " AS " + query);
        }
      }
      // Prepared, because the exception of an executed statement does not contain the reason.
      try (PreparedStatement all = connection.prepareStatement("SELECT * FROM " + relation)) {
        for (int c = 1; c <= all.getMetaData().getColumnCount(); c++) {
          columns.add(all.getMetaData().getColumnName(c));
        }
      }
    } catch (SQLException e) {
      close();
      throw new DataException(name + ": cannot be read: " + DuckDb.reason(e), e);
    }
    this.position = new int[columns.size()];
    Arrays.setAll(position, c -> c + 1);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<String> columns() {
    return columns;
  }

  @Override
  public void use(int... wanted) {
    position = new int[columns.size()];
    int next = 1;
    for (int column : wanted) {
      if (column >= 0) {
        position[column] = next++;
      }
    }
  }

  @Override
  public void orderBy(int column) {
    if (query) {
      order = " ORDER BY " + DuckDb.identifier(columns.get(column));
    }
  }

  @Override
  public boolean next() {
    try {
      if (rows == null) {
        rows =
            connection
                .prepareStatement("SELECT " + selected() + " FROM " + relation + order)
                .executeQuery();
      }
      row++;
      return rows.next();
    } catch (SQLException e) {
      throw new DataException(name + ", " + place() + ": " + DuckDb.reason(e), e);
    }
  }

  private String selected() {
    return columns.stream()
        .filter(column -> position[columns.indexOf(column)] > 0)
        .sorted((a, b) -> position[columns.indexOf(a)] - position[columns.indexOf(b)])
        .map(DuckDb::identifier)
        .collect(Collectors.joining(", "));
  }

  @Override
  public String place() {
    return "row " + Math.max(0, row);
  }

  @Override
  public String text(int column) {
    try {
      return rows.getString(position[column]);
    } catch (SQLException e) {
      throw invalid(column, "cannot be read: " + DuckDb.reason(e), e);
    }
  }

  @Override
  public float number(int column) {
    try {
      Object value = rows.getObject(position[column]);
      if (value instanceof Number number && Float.isFinite(number.floatValue())) {
        return number.floatValue();
      }
      String found = value == null ? "missing" : "'" + value + "'";
      throw invalid(column, "is " + found + ", expected a finite number.", null);
    } catch (SQLException e) {
      throw invalid(column, "cannot be read: " + DuckDb.reason(e), e);
    }
  }

  @Override
  public float[] vector(int column) {
    try {
      if (!(rows.getObject(position[column]) instanceof Array list)) {
        throw invalid(column, "is not a list of numbers.", null);
      }
      Object[] values = (Object[]) list.getArray();
      float[] result = new float[values.length];
      for (int d = 0; d < result.length; d++) {
        if (!(values[d] instanceof Number value)) {
          throw invalid(
              column, "has " + values[d] + " at index " + d + ", expected a finite number.", null);
        }
        result[d] = value.floatValue();
      }
      return result;
    } catch (SQLException e) {
      throw invalid(column, "cannot be read: " + DuckDb.reason(e), e);
    }
  }

  private DataException invalid(int column, String what, Exception cause) {
    return new DataException(
        "%s, %s: column %s %s".formatted(name, place(), columns.get(column), what), cause);
  }

  @Override
  public void close() {
    try {
      if (connection != null) {
        connection.close();
      }
    } catch (SQLException e) {
      // All data were read; a failure to close does not affect them.
    }
  }
}
