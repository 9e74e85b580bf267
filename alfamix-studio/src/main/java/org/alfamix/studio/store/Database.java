package org.alfamix.studio.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * An SQLite file: one connection that writes, another that jots down what need not wait for the
 * disk, several that read beside them.
 *
 * <p>A commit is on the disk when it returns (WAL with full synchronisation), so that a process
 * that is killed, or a machine that loses its power, loses nothing that was acknowledged.
 */
final class Database implements AutoCloseable {
  private static final int READERS = 4;
  private static final int PATIENCE_MILLIS = 10_000;

  private final Connection writer;
  private final Connection jotter;
  private final ReentrantLock writing = new ReentrantLock(true);
  private final BlockingQueue<Connection> readers = new ArrayBlockingQueue<>(READERS);

  Database(Path file, String migrations) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.enforceForeignKeys(true);
    config.setBusyTimeout(PATIENCE_MILLIS);
    SQLiteDataSource source = source(file, config);
    try {
      Flyway.configure().dataSource(source).locations("classpath:" + migrations).load().migrate();
    } catch (FlywayException e) {
      throw new UncheckedIOException(
          new IOException(file + ": the database cannot be opened: " + firstLine(e), e));
    }
    try {
      writer = source.getConnection();
      config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
      jotter = source(file, config).getConnection();
      for (int r = 0; r < READERS; r++) {
        readers.add(source.getConnection());
      }
    } catch (SQLException e) {
      throw failure(e);
    }
  }

  private static SQLiteDataSource source(Path file, SQLiteConfig config) {
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file.toAbsolutePath());
    return source;
  }

  /** Something that is done with a connection. */
  @FunctionalInterface
  interface Work<T> {
    T with(Connection connection) throws SQLException;
  }

  /** Reads a row. */
  @FunctionalInterface
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Writes as a whole, or not at all; it is on the disk when this returns. */
  <T> T write(Work<T> work) {
    return write(writer, work);
  }

  /**
   * Writes as a whole, or not at all, without waiting for the disk: a process that is killed loses
   * nothing of it, but a machine that loses its power may.
   */
  <T> T jot(Work<T> work) {
    return write(jotter, work);
  }

  private <T> T write(Connection connection, Work<T> work) {
    writing.lock();
    try {
      // By hand: the driver would begin the next transaction at the end of this one, and keep
      // other processes out for ever.
      execute(connection, "BEGIN IMMEDIATE");
      boolean done = false;
      try {
        T result = work.with(connection);
        execute(connection, "COMMIT");
        done = true;
        return result;
      } finally {
        if (!done) {
          rollBack(connection);
        }
      }
    } catch (SQLException e) {
      throw failure(e);
    } finally {
      writing.unlock();
    }
  }

  /** What failed is told by whoever called; SQLite may have rolled back by itself. */
  private static void rollBack(Connection connection) {
    try {
      execute(connection, "ROLLBACK");
    } catch (SQLException e) {
      // There was nothing left to roll back.
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Reads beside whoever writes; sees what was committed. */
  <T> T read(Work<T> work) {
    Connection connection = null;
    try {
      connection = readers.take();
      return work.with(connection);
    } catch (SQLException e) {
      throw failure(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted.", e);
    } finally {
      if (connection != null) {
        readers.add(connection);
      }
    }
  }

  /** The rows of a query. */
  <T> List<T> all(String sql, RowReader<T> reader, Object... values) {
    return read(connection -> list(connection, sql, reader, values));
  }

  /** The first row of a query. */
  <T> Optional<T> one(String sql, RowReader<T> reader, Object... values) {
    return all(sql, reader, values).stream().findFirst();
  }

  static <T> List<T> list(Connection connection, String sql, RowReader<T> reader, Object... values)
      throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, values);
        ResultSet rows = statement.executeQuery()) {
      List<T> result = new ArrayList<>();
      while (rows.next()) {
        result.add(reader.read(rows));
      }
      return result;
    }
  }

  static <T> Optional<T> first(
      Connection connection, String sql, RowReader<T> reader, Object... values)
      throws SQLException {
    return list(connection, sql, reader, values).stream().findFirst();
  }

  /** Changes rows; how many. */
  static int update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  /** Adds a row; its id. */
  static long insert(Connection connection, String sql, Object... values) throws SQLException {
    return list(connection, sql + " RETURNING id", row -> row.getLong(1), values).get(0);
  }

  private static PreparedStatement prepare(Connection connection, String sql, Object... values)
      throws SQLException {
    PreparedStatement statement = connection.prepareStatement(sql);
    for (int v = 0; v < values.length; v++) {
      statement.setObject(v + 1, values[v]);
    }
    return statement;
  }

  static UncheckedIOException failure(SQLException e) {
    return new UncheckedIOException(new IOException("Database error: " + firstLine(e), e));
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
  }

  @Override
  public void close() {
    writing.lock();
    try {
      writer.close();
      jotter.close();
      for (Connection reader : readers) {
        reader.close();
      }
    } catch (SQLException e) {
      throw failure(e);
    } finally {
      writing.unlock();
    }
  }
}
