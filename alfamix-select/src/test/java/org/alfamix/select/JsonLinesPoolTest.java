package org.alfamix.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesPoolTest {
  @TempDir private Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("rows.jsonl"), text);
  }

  /** The first line lacks f1; with only its columns, the pool would silently lose a feature. */
  @Test
  void rejectsAFirstLineWithoutAColumn() throws IOException {
    Path missing = write("{\"id\":\"x\",\"f0\":1}\n{\"id\":\"y\",\"f0\":1,\"f1\":2}\n");
    String message =
        assertThrows(DataException.class, () -> PoolReader.standard().read(missing.toString()))
            .getMessage();
    assertTrue(message.startsWith(missing + ", line 1: column f1 is missing"), message);
  }

  @Test
  void rejectsAFirstLineWithoutAnId() throws IOException {
    Path file = write("{\"embedding\":[1]}\n{\"id\":\"y\",\"embedding\":[2]}\n");
    assertEquals(
        file + ", line 1: column id is empty.",
        assertThrows(DataException.class, () -> PoolReader.standard().read(file.toString()))
            .getMessage());
  }

  @Test
  void skipsAByteOrderMark() throws IOException {
    Path file = write("\uFEFF{\"id\":\"x\",\"embedding\":[1,2]}\n");
    Pool pool = PoolReader.standard().read(file.toString());
    assertEquals("x", pool.id(0));
    assertEquals(2, pool.features());
  }
}
