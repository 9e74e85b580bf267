package org.alfamix.tables;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableEngine;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DuckDbTest {
  private final DuckDb engine = new DuckDb();
  @TempDir private Path folder;

  private Path parquet(String name, String query) throws SQLException {
    Path plain = folder.resolve("plain.parquet");
    try (Connection connection = DuckDb.connectStreaming();
        Statement statement = connection.createStatement()) {
      statement.execute("COPY (%s) TO '%s' (FORMAT parquet)".formatted(query, plain));
      return Files.move(
          plain,
          Files.createDirectories(folder.resolve(name).getParent())
              .resolve(folder.resolve(name).getFileName()));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<String> column(TableSource table, int column) {
    List<String> values = new ArrayList<>();
    while (table.next()) {
      values.add(table.text(column));
    }
    return values;
  }

  @Test
  void isFoundAsTheTableEngine() throws Exception {
    Path file = parquet("a.parquet", "SELECT 1 AS id");
    try (TableSource table = Tables.open(file)) {
      assertTrue(table instanceof DuckDbTable, table.getClass().getName());
    }
  }

  @Test
  void readsWrittenRowsBackInOrder() throws IOException {
    Path file = folder.resolve("it's.parquet");
    engine.writeParquet(
        file,
        List.of(
            new TableEngine.Column("id", TableEngine.Type.TEXT, List.of("007", "a\"b")),
            new TableEngine.Column("rank", TableEngine.Type.LONG, List.of(2L, 1L)),
            new TableEngine.Column("score", TableEngine.Type.DOUBLE, Arrays.asList(0.5, null))));
    try (TableSource table = engine.openParquet(file)) {
      assertEquals(List.of("id", "rank", "score"), table.columns());
      table.use(2, 0);
      assertTrue(table.next());
      assertEquals("row 0", table.place());
      assertEquals("007", table.text(0));
      assertEquals(0.5f, table.number(2));
      assertTrue(table.next());
      assertEquals("a\"b", table.text(0));
      assertNull(table.text(2));
      String message = assertThrows(DataException.class, () -> table.number(2)).getMessage();
      assertTrue(
          message.endsWith("row 1: column score is missing, expected a finite number."), message);
      assertFalse(table.next());
    }
  }

  @Test
  void readsVectorsOfEveryNumericType() throws Exception {
    Path file = parquet("v.parquet", "SELECT [1, 2.5]::DOUBLE[] AS a, [1, NULL] AS b, 'x' AS c");
    try (TableSource table = engine.openParquet(file)) {
      assertTrue(table.next());
      assertArrayEquals(new float[] {1, 2.5f}, table.vector(0));
      String hole = assertThrows(DataException.class, () -> table.vector(1)).getMessage();
      assertTrue(hole.contains("column b has null at index 1"), hole);
      String text = assertThrows(DataException.class, () -> table.vector(2)).getMessage();
      assertTrue(text.contains("column c is not a list of numbers"), text);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"p[12].parquet", "p*.parquet", "p?.parquet", "f0=9/p.parquet"})
  void doesNotInterpretAPathAsAPattern(String name) throws Exception {
    parquet("p1.parquet", "SELECT 'wrong' AS id");
    Path file = parquet(name, "SELECT 'right' AS id");
    try (TableSource table = engine.openParquet(file)) {
      assertEquals(List.of("id"), table.columns(), "a folder name does not become a column");
      assertEquals(List.of("right"), column(table, 0));
    }
  }

  @Test
  void sortsTheRowsOfAQueryByTheRequestedColumn() {
    String query = "SELECT 100 - i AS id, i % 3 AS g FROM range(100) t(i); -- the end";
    try (TableSource table = engine.query(query)) {
      table.orderBy(0);
      List<String> ids = column(table, 0);
      assertEquals("1", ids.get(0));
      assertEquals("100", ids.get(99));
    }
  }

  @Test
  void namesInvalidFilesAndQueries() throws IOException {
    Path file = Files.writeString(folder.resolve("broken.parquet"), "no parquet");
    String broken = assertThrows(DataException.class, () -> engine.openParquet(file)).getMessage();
    assertTrue(broken.startsWith(file + ": cannot be read"), broken);
    String query =
        assertThrows(DataException.class, () -> engine.query("SELECT 1 FRO x")).getMessage();
    assertTrue(query.startsWith("SQL query failed") && query.lines().count() == 1, query);
  }
}
