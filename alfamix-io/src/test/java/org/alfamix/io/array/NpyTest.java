package org.alfamix.io.array;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NpyTest {
  @TempDir private Path folder;

  /** Writes a file by the format's specification, so that reader and writer cannot share a bug. */
  private Path write(int version, String header, ByteBuffer data) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(0x93);
    out.writeBytes("NUMPY".getBytes(StandardCharsets.US_ASCII));
    out.write(version);
    out.write(0);
    byte[] text = (header + "\n").getBytes(StandardCharsets.UTF_8);
    ByteBuffer length = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putInt(text.length);
    out.write(length.array(), 0, version == 1 ? 2 : 4);
    out.writeBytes(text);
    out.writeBytes(data.array());
    return Files.write(folder.resolve("x.npy"), out.toByteArray());
  }

  private static String header(String type, String shape) {
    return "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }".formatted(type, shape);
  }

  private static String errorOf(Path file) {
    return assertThrows(DataException.class, () -> Npy.open(file).readMatrix())
        .getMessage()
        .replace(file.getParent().toString(), "");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void readsEveryVersion(int version) throws IOException {
    ByteBuffer data = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 6; i++) {
      data.putFloat(i * 0.1f);
    }
    Path file = write(version, header("<f4", "2, 3"), data);
    assertArrayEquals(new float[] {0.3f, 0.4f, 0.5f}, Npy.open(file).readMatrix().row(1));
  }

  @Test
  void readsDoublesBigEndianDataAndIntegers() throws IOException {
    ByteBuffer doubles = ByteBuffer.allocate(16).order(ByteOrder.BIG_ENDIAN);
    doubles.putDouble(0.5).putDouble(-2);
    assertArrayEquals(
        new float[] {0.5f, -2}, Npy.open(write(1, header(">f8", "2,"), doubles)).readFloats());
    ByteBuffer longs = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
    longs.putLong(7).putLong(-1);
    assertArrayEquals(new int[] {7, -1}, Npy.open(write(1, header("<i8", "2,"), longs)).readInts());
  }

  @Test
  void reportsInvalidFiles() throws IOException {
    assertEquals(
        "/x.npy: truncated: 78 bytes, expected 94 for 2 x 3.",
        errorOf(write(1, header("<f4", "2, 3"), ByteBuffer.allocate(8))));
    assertEquals(
        "/x.npy: Fortran order, expected C order (save numpy.ascontiguousarray(x)).",
        errorOf(write(1, header("<f4", "2, 3").replace("False", "True"), ByteBuffer.allocate(24))));
    assertTrue(
        errorOf(write(1, header("|O", "2,"), ByteBuffer.allocate(24)))
            .startsWith("/x.npy: an array of pickled Python objects"));
    assertEquals(
        "/x.npy: 1 dimension (2), expected 2.",
        errorOf(write(1, header("<f4", "2,"), ByteBuffer.allocate(24))));
    assertEquals(
        "/x.npy: type i4, expected f2, f4 or f8 (save x.astype(numpy.float32)).",
        errorOf(write(1, header("<i4", "2, 3"), ByteBuffer.allocate(24))));
    assertEquals(
        "/y.npy: not an .npy file: it does not start with \\x93NUMPY.",
        errorOf(Files.writeString(folder.resolve("y.npy"), "id,label")));
    assertEquals("/z.npy: no such file.", errorOf(folder.resolve("z.npy")));
  }
}
