package org.alfamix.io.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CsvTest {
  @TempDir private Path folder;

  private Path write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private static List<List<String>> rows(Path file) {
    List<List<String>> rows = new ArrayList<>();
    try (Csv table = Csv.open(file)) {
      while (table.next()) {
        List<String> row = new ArrayList<>();
        for (int c = 0; c < table.columns().size(); c++) {
          row.add(table.text(c));
        }
        rows.add(row);
      }
    }
    return rows;
  }

  private static String errorOf(Path file) {
    return assertThrows(DataException.class, () -> rows(file)).getMessage();
  }

  @Test
  void readsSeparatorsQuotesAndLineBreaksInQuotedFields() throws IOException {
    Path file = write("a.csv", "id,text\r\n007,\"a, \"\"b\"\"\nc\"\r\n\r\n8,\n");
    List<List<String>> rows = rows(file);
    assertEquals(List.of("007", "a, \"b\"\nc"), rows.get(0));
    assertEquals("8", rows.get(1).get(0));
    assertNull(rows.get(1).get(1), "an empty field is null");
    assertEquals(2, rows.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "a,b", "a\"b\"", "a\nb", "\r", "ä, \"ß\""})
  void readsQuotedTextBack(String text) throws IOException {
    Path file = write("a.csv", "id,text\n1," + Csv.quoted(text) + "\n");
    assertEquals(text, rows(file).get(0).get(1));
  }

  @Test
  void reportsTheFirstLineOfARowAsItsPlace() throws IOException {
    Path file = write("a.csv", "id,text\n\n1,\"x\ny\"\n2,z\n");
    try (Csv table = Csv.open(file)) {
      assertTrue(table.next());
      assertEquals("line 3", table.place());
      assertTrue(table.next());
      assertEquals("line 5", table.place());
      assertFalse(table.next());
    }
  }

  @Test
  void readsTabsGzipAndAByteOrderMark() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write("\uFEFFid\tnote\n1\ta,b\n".getBytes(StandardCharsets.UTF_8));
    }
    Path file = Files.write(folder.resolve("a.tsv.gz"), bytes.toByteArray());
    assertEquals(List.of(List.of("1", "a,b")), rows(file));
    try (Csv table = Csv.open(file)) {
      assertEquals(List.of("id", "note"), table.columns());
    }
  }

  @Test
  void parsesNumbersAndLists() throws IOException {
    Path file = write("a.csv", "id,vector\n1.5,\"[1, -2.5e-1]\"\nx,[1]\n");
    try (Csv table = Csv.open(file)) {
      assertTrue(table.next());
      assertEquals(1.5f, table.number(0));
      assertArrayEquals(new float[] {1, -0.25f}, table.vector(1));
      assertTrue(table.next());
      String message = assertThrows(DataException.class, () -> table.number(0)).getMessage();
      assertTrue(message.contains("a.csv, line 3") && message.contains("'x'"), message);
    }
  }

  @Test
  void namesTheLineInErrors() throws IOException {
    assertTrue(
        errorOf(write("a.csv", ""))
            .endsWith("a.csv: empty file; expected a header with the column names."));
    assertTrue(errorOf(write("a.csv", "a,b\n1,2\n3\n")).contains("line 3: expected 2 fields"));
    assertTrue(
        errorOf(write("a.csv", "a,b\n1,\"2\n3\n")).contains("line 2: unterminated quoted field"));
    assertTrue(errorOf(write("a.csv", "a,b,a\n")).contains("duplicate column 'a'"));
    Path latin = Files.write(folder.resolve("a.csv"), new byte[] {'a', '\n', (byte) 0xe4, '\n'});
    assertTrue(errorOf(latin).contains("expected text in UTF-8"), errorOf(latin));
  }
}
