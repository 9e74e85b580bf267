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
import java.util.HexFormat;
import java.util.List;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Writes the format byte by byte, so that reader and writer cannot share a bug. */
class SafetensorsTest {
  @TempDir private Path folder;

  private Path write(String header, byte[] data) throws IOException {
    byte[] text = header.getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(text.length).array());
    out.writeBytes(text);
    out.writeBytes(data);
    return Files.write(folder.resolve("x.safetensors"), out.toByteArray());
  }

  @Test
  void readsEveryTypeOfReals() throws IOException {
    // 1.5 and -2 as F32, F16, BF16 and F64, little-endian.
    byte[] data =
        HexFormat.of()
            .parseHex(
                "0000c03f000000c0" + "003e00c0" + "c03f00c0" + "000000000000f83f00000000000000c0");
    Path file =
        write(
            "{\"__metadata__\":{\"format\":\"pt\"},"
                + "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                + "\"b\":{\"dtype\":\"F16\",\"shape\":[1,2],\"data_offsets\":[8,12]},"
                + "\"c\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[12,16]},"
                + "\"d\":{\"dtype\":\"F64\",\"shape\":[2,1],\"data_offsets\":[16,32]}}   ",
            data);
    Safetensors tensors = Safetensors.open(file);
    assertEquals(List.of("a", "b", "c", "d"), tensors.names());
    for (String name : tensors.names()) {
      assertArrayEquals(new float[] {1.5f, -2}, tensors.array(name).readFloats(), name);
    }
    assertArrayEquals(new long[] {1, 2}, tensors.shape("b").orElseThrow());
  }

  @Test
  void reportsInvalidFiles() throws IOException {
    String header = "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}";
    assertRejected("a: truncated: 7 bytes of tensors, expected at least 8.", header, new byte[7]);
    assertRejected(
        "a: 8 bytes, expected 12 for its shape.", header.replace("[2]", "[3]"), new byte[8]);
    assertRejected("invalid header (", "{\"a\":", new byte[8]);
    assertRejected("invalid header (", "[1, 2, 3]", new byte[8]);
    Files.write(folder.resolve("y.safetensors"), new byte[] {1, 2});
    assertTrue(
        assertThrows(DataException.class, () -> Safetensors.open(folder.resolve("y.safetensors")))
            .getMessage()
            .endsWith("not a safetensors file: invalid header length."));
    DataException missing =
        assertThrows(
            DataException.class,
            () -> Safetensors.open(write(header, new byte[8])).array("weight"));
    assertTrue(missing.getMessage().endsWith("no array 'weight'; it has a."));
  }

  private void assertRejected(String expected, String header, byte[] data) throws IOException {
    Path file = write(header, data);
    DataException error = assertThrows(DataException.class, () -> Safetensors.open(file));
    assertTrue(error.getMessage().contains(expected), error.getMessage());
  }
}
