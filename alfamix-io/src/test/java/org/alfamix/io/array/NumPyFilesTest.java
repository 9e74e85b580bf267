package org.alfamix.io.array;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads files written by NumPy 1.24: {@code arange(12).reshape(3, 4) / 8 - 0.5}. */
class NumPyFilesTest {

  private static Path file(String name) {
    try {
      return Path.of(NumPyFilesTest.class.getResource(name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertNumbers(FloatMatrix found) {
    assertEquals(3, found.rows());
    assertEquals(4, found.columns());
    for (int at = 0; at < 12; at++) {
      assertEquals(at / 8f - 0.5f, found.get(at / 4, at % 4));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "f2",
        "f4",
        "f8",
        "f2-big-endian",
        "f4-big-endian",
        "f8-big-endian",
        "version1",
        "version2",
        "version3"
      })
  void readsRealsOfEveryWidthByteOrderAndVersion(String name) {
    assertNumbers(Npy.open(file(name + ".npy")).readMatrix());
  }

  @ParameterizedTest
  @ValueSource(strings = {"i1", "i2", "i4", "i8", "u1", "u2", "u4"})
  void readsIntegersOfEveryWidth(String name) {
    assertArrayEquals(new int[] {0, 1, 2, 100}, Npy.open(file(name + ".npy")).readInts());
  }

  @Test
  void readsSingleRows() {
    Rows rows = Npy.open(file("f4.npy")).rows();
    assertArrayEquals(new float[] {0, 0.125f, 0.25f, 0.375f}, rows.slice(1, 2).row(0));
    assertArrayEquals(new float[] {0.5f, 0.625f, 0.75f, 0.875f}, rows.gather(new int[] {2}).row(0));
    assertTrue(rows.describe(2).endsWith("f4.npy, row 2"));
  }

  @Test
  void readsStoredAndCompressedBundlesWithStrings() {
    Npz stored = Npz.open(file("stored.npz"));
    assertEquals(List.of("embeddings", "file_paths"), stored.names());
    assertNumbers(stored.array("embeddings").readMatrix());
    assertArrayEquals(
        new String[] {"a/ä.png", "b.png", "a very long name.png"}, stored.texts("file_paths"));
    Npz compressed = Npz.open(file("compressed.npz"));
    assertNumbers(compressed.array("embeddings").readMatrix());
    assertArrayEquals(new String[] {"7", "8", "9"}, compressed.texts("ids"));
    assertArrayEquals(
        new String[] {"one", "two", "three"}, Npz.open(file("bytes.npz")).texts("id"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"fortran", "objects"})
  void rejectsFortranOrderAndObjects(String name) {
    DataException error = assertThrows(DataException.class, () -> Npy.open(file(name + ".npy")));
    assertTrue(
        error
            .getMessage()
            .contains(name.equals("fortran") ? "Fortran order" : "pickled Python objects"),
        error.getMessage());
  }
}
