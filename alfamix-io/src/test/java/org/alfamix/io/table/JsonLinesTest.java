package org.alfamix.io.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTest {
  @TempDir private Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("rows.jsonl"), text);
  }

  @Test
  void collectsTheKeysOfAllLinesAsColumns() throws IOException {
    Path file = write("{\"a\":1}\n\n{\"c\":3,\"a\":2}\n{\"b\":{\"x\":[1]}}\n");
    try (JsonLines table = JsonLines.open(file)) {
      assertEquals(List.of("a", "c", "b"), table.columns());
      assertTrue(table.next());
      assertEquals("line 1", table.place());
      assertEquals("1", table.text(0));
      assertEquals(null, table.text(1));
      assertTrue(table.next());
      assertEquals("line 3", table.place());
      assertEquals("3", table.text(1));
      assertTrue(table.next());
      assertFalse(table.next());
    }
  }

  @Test
  void namesTheLineOfErrorsAfterTheFirstLine() throws IOException {
    Path file = write("{\"a\":1}\n[2]\n");
    assertEquals(
        file + ", line 2: expected a JSON object.",
        assertThrows(DataException.class, () -> JsonLines.open(file)).getMessage());
  }

  /** A pipe cannot be read twice. */
  @Test
  void rejectsNewKeysInLaterLinesOfAPipe() throws Exception {
    Path pipe = folder.resolve("pipe.jsonl");
    Process mkfifo = new ProcessBuilder("mkfifo", pipe.toString()).start();
    Assumptions.assumeTrue(mkfifo.waitFor() == 0, "mkfifo is not available");
    Thread writer =
        new Thread(
            () -> {
              try {
                Files.writeString(pipe, "{\"a\":1}\n{\"a\":2,\"b\":3}\n");
              } catch (IOException e) {
                // the reader has closed the pipe
              }
            });
    writer.start();
    try (JsonLines table = JsonLines.open(pipe)) {
      assertEquals(List.of("a"), table.columns());
      assertTrue(table.next());
      assertEquals(
          pipe
              + ", line 2: the key 'b' is not in the first line; the first line of a pipe must have"
              + " all keys.",
          assertThrows(DataException.class, table::next).getMessage());
    }
    writer.join();
  }
}
