package org.alfamix.data.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.data.DataException;
import org.alfamix.dataset.Dataset;
import org.alfamix.dataset.LabelledTable;
import org.alfamix.query.Pool;
import org.alfamix.query.PoolReader;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTest {
  @TempDir private Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("rows.jsonl"), text);
  }

  @Test
  void theColumnsAreTheKeysOfAllLines() throws IOException {
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

  /** The first line has no f1: with its columns alone all items would lie on a line. */
  @Test
  void aFirstLineWithoutAColumnDoesNotDropIt() throws IOException {
    Path missing = write("{\"id\":\"x\",\"f0\":1}\n{\"id\":\"y\",\"f0\":1,\"f1\":2}\n");
    String message =
        assertThrows(DataException.class, () -> PoolReader.standard().read(missing.toString()))
            .getMessage();
    assertTrue(message.startsWith(missing + ", line 1: column f1 is missing"), message);
  }

  @Test
  void aFirstLineWithoutAnIdIsNamed() throws IOException {
    Path file = write("{\"embedding\":[1]}\n{\"id\":\"y\",\"embedding\":[2]}\n");
    assertEquals(
        file + ", line 1: column id is empty.",
        assertThrows(DataException.class, () -> PoolReader.standard().read(file.toString()))
            .getMessage());
  }

  @Test
  void trainingSeesColumnsThatTheFirstLineLacks() throws IOException {
    StringBuilder text = new StringBuilder("{\"a\":1,\"label\":\"x\",\"b\":0}\n");
    for (int i = 0; i < 20; i++) {
      text.append("{\"b\":%d,\"a\":0,\"label\":\"%s\"}\n".formatted(i, i % 2 == 0 ? "x" : "y"));
    }
    LabelledTable.Columns columns = new LabelledTable.Columns(null, null, List.of());
    Dataset set = LabelledTable.read(write(text.toString()), columns);
    assertEquals(2, set.shape().length());
    Path later = write(text.toString().replaceFirst(",\"b\":0", ""));
    String message =
        assertThrows(DataException.class, () -> LabelledTable.read(later, columns)).getMessage();
    assertTrue(message.startsWith(later + ", line 1: column b is missing"), message);
  }

  @Test
  void aByteOrderMarkIsSkipped() throws IOException {
    Path file = write("\uFEFF{\"id\":\"x\",\"embedding\":[1,2]}\n");
    Pool pool = PoolReader.standard().read(file.toString());
    assertEquals("x", pool.id(0));
    assertEquals(2, pool.features());
  }

  @Test
  void mistakesBehindTheFirstLineAreNamedByTheirLine() throws IOException {
    Path file = write("{\"a\":1}\n[2]\n");
    assertEquals(
        file + ", line 2: expected a JSON object.",
        assertThrows(DataException.class, () -> JsonLines.open(file)).getMessage());
  }

  /** A pipe cannot be read twice. */
  @Test
  void aLaterKeyInAPipeIsRefused() throws Exception {
    Path pipe = folder.resolve("pipe.jsonl");
    Process made = new ProcessBuilder("mkfifo", pipe.toString()).start();
    Assumptions.assumeTrue(made.waitFor() == 0, "there is no mkfifo here");
    Thread writer =
        new Thread(
            () -> {
              try {
                Files.writeString(pipe, "{\"a\":1}\n{\"a\":2,\"b\":3}\n");
              } catch (IOException e) {
                // the reader has seen enough
              }
            });
    writer.start();
    try (JsonLines table = JsonLines.open(pipe)) {
      assertEquals(List.of("a"), table.columns());
      assertTrue(table.next());
      assertEquals(
          pipe
              + ", line 2: the key 'b' is not in the first line, expected all keys there in a"
              + " pipe.",
          assertThrows(DataException.class, table::next).getMessage());
    }
    writer.join();
  }
}
