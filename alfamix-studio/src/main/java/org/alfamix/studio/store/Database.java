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
 * An SQLite file with one connection for durable writes, one for writes that need not wait for the
 * disk, and several for reading.
 *
 * <p>A commit is on the disk when it returns (write-ahead log with full synchronization), so that
 * neither a killed process nor a power failure loses acknowledged changes.
 */
final class Database implements AutoCloseable {
  private static final int READERS = 4;
  private static final int BUSY_TIMEOUT_MILLIS = 10_000;

  private final Connection writer;
  private final Connection unsyncedWriter;
  private final ReentrantLock writing = new ReentrantLock(true);
  private final BlockingQueue<Connection> readers = new ArrayBlockingQueue<>(READERS);

  Database(Path file, String migrations) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.enforceForeignKeys(true);
    config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
    SQLiteDataSource source = source(file, config);
    try {
      // Checksums are not compared, because comments in the scripts may change.
      Flyway.configure()
          .dataSource(source)
          .locations("classpath:" + migrations)
          .validateOnMigrate(false)
          .load()
          .migrate();
    } catch (FlywayException e) {
      throw new UncheckedIOException(
          new IOException(file + ": the database cannot be opened: " + firstLine(e), e));
    }
    try {
      writer = source.getConnection();
      config.setSynchronous(SQLiteConfig.SynchronousMode.NORMAL);
      unsyncedWriter = source(file, config).getConnection();
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

  /** An operation on a connection. */
  @FunctionalInterface
  interface Operation<T> {
    T with(Connection connection) throws SQLException;
  }

  /** Reads a row. */
  @FunctionalInterface
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Runs a transaction that is on the disk when this method returns. */
  <T> T write(Operation<T> operation) {
    return write(writer, operation);
  }

  /**
   * Runs a transaction without waiting for the disk: it survives a killed process, but perhaps not
   * a power failure.
   */
  <T> T writeWithoutSync(Operation<T> operation) {
    return write(unsyncedWriter, operation);
  }

  private <T> T write(Connection connection, Operation<T> operation) {
    writing.lock();
    try {
      // Without explicit statements, the driver would start the next transaction at the end of this
      // one and block other processes forever.
      execute(connection, "BEGIN IMMEDIATE");
      boolean done = false;
      try {
        T result = operation.with(connection);
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

  /** The caller reports the failure; SQLite may have rolled back already. */
  private static void rollBack(Connection connection) {
    try {
      execute(connection, "ROLLBACK");
    } catch (SQLException e) {
      // Nothing was left to roll back.
    }
  }

  private static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Reads committed data, at the same time as a writer. */
  <T> T read(Operation<T> operation) {
    Connection connection = null;
    try {
      connection = readers.take();
      return operation.with(connection);
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

  /** Returns the rows of a query. */
  <T> List<T> all(String sql, RowReader<T> reader, Object... values) {
    return read(connection -> list(connection, sql, reader, values));
  }

  /** Returns the first row of a query. */
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

  /** Changes rows and returns their number. */
  static int update(Connection connection, String sql, Object... values) throws SQLException {
    try (PreparedStatement statement = prepare(connection, sql, values)) {
      return statement.executeUpdate();
    }
  }

  /** Adds a row and returns its id. */
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
      unsyncedWriter.close();
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
