package org.alfamix.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.io.DataException;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PoolReaderTest {
  @TempDir private Path folder;

  private Path array(String name) throws IOException {
    Path file = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(file)) {
      Npy.write(out, FloatMatrix.zeros(2, 3));
    }
    return file;
  }

  @Test
  void globsSkipHiddenFilesUnlessThePatternStartsWithADot() throws IOException {
    Path hidden = array(".part-0.npy");
    Path first = array("part-1.npy");
    Path second = array("part-2.NPY");
    assertEquals(List.of(first), PoolReader.files(folder + "/*.npy"));
    assertEquals(List.of(hidden), PoolReader.files(folder + "/.part*"));
    assertEquals(List.of(first, second), PoolReader.files(folder.toString()));
    assertEquals(4, PoolReader.standard().read(folder.toString()).size());
  }

  @Test
  void rejectsAnEmptyLocation() {
    assertEquals(
        "The location of the embeddings is empty, expected a path.",
        assertThrows(DataException.class, () -> PoolReader.standard().read("")).getMessage());
  }
}
