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

/** A table or query of DuckDB. Only the columns that are used are read. */
final class DuckDbTable implements TableSource {
  /** What the answer to a query is called. */
  static final String VIEW = "alfamix_query";

  private final String name;
  private final String relation;
  private final boolean query;
  private Connection connection;
  private final List<String> columns = new ArrayList<>();

  /** Where each column stands in the result, from 1; 0 where it is not in it. */
  private int[] position;

  private String order = "";
  private ResultSet rows;
  private long row = -1;

  /**
   * @param query what {@link #VIEW} stands for, or null. Its rows come in no order of their own,
   *     and are computed by one thread: the order of groups and joins, and the last digits of sums,
   *     depend on how many there are.
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
          // At its end, so that it may close with semicolons and comments.
          statement.execute("CREATE TEMP VIEW " + VIEW + " AS " + query);
        }
      }
      // Prepared, not executed: a plain statement that fails does not tell why.
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
      throw wrong(column, "cannot be read: " + DuckDb.reason(e), e);
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
      throw wrong(column, "is " + found + ", expected a finite number.", null);
    } catch (SQLException e) {
      throw wrong(column, "cannot be read: " + DuckDb.reason(e), e);
    }
  }

  @Override
  public float[] vector(int column) {
    try {
      if (!(rows.getObject(position[column]) instanceof Array list)) {
        throw wrong(column, "is no list of numbers.", null);
      }
      Object[] values = (Object[]) list.getArray();
      float[] result = new float[values.length];
      for (int d = 0; d < result.length; d++) {
        if (!(values[d] instanceof Number value)) {
          throw wrong(
              column, "holds " + values[d] + " at " + d + ", expected a finite number.", null);
        }
        result[d] = value.floatValue();
      }
      return result;
    } catch (SQLException e) {
      throw wrong(column, "cannot be read: " + DuckDb.reason(e), e);
    }
  }

  private DataException wrong(int column, String what, Exception cause) {
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
      // Everything was read; a failure to close tells nothing about it.
    }
  }
}
