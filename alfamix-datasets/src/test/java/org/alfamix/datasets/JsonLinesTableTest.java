package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTableTest {
  @TempDir private Path folder;

  private Path write(String text) throws IOException {
    return Files.writeString(folder.resolve("rows.jsonl"), text);
  }

  @Test
  void rejectsColumnsMissingInTheFirstLine() throws IOException {
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
}
