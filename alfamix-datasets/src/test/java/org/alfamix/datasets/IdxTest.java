package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IdxTest {
  @TempDir Path folder;

  static byte[] images(int count, int height, int width) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0x0803);
    out.writeInt(count);
    out.writeInt(height);
    out.writeInt(width);
    for (int i = 0; i < count * height * width; i++) {
      out.write(i + 190);
    }
    return bytes.toByteArray();
  }

  static byte[] labels(int... values) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeInt(0x0801);
    out.writeInt(values.length);
    for (int value : values) {
      out.write(value);
    }
    return bytes.toByteArray();
  }

  private Path write(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve(name);
    if (name.endsWith(".gz")) {
      try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
        out.write(bytes);
      }
    } else {
      Files.write(file, bytes);
    }
    return file;
  }

  @Test
  void readsImagesPlainAndGzipped() throws IOException {
    for (String name : new String[] {"images", "images.gz"}) {
      Inputs inputs = Idx.images(write(name, images(2, 2, 3)), false);
      assertEquals(2, inputs.size());
      assertEquals(InputShape.image(1, 2, 3), inputs.shape());
      float[] values = new float[8];
      inputs.read(1, values, 1);
      assertArrayEquals(new float[] {0, 196, 197, 198, 199, 200, 201, 0}, values);
    }
  }

  @Test
  void transposesImagesInColumnMajorOrder() throws IOException {
    Inputs inputs = Idx.images(write("images", images(2, 2, 3)), true);
    assertEquals(InputShape.image(1, 3, 2), inputs.shape());
    float[] values = new float[6];
    inputs.read(1, values, 0);
    assertArrayEquals(new float[] {196, 199, 197, 200, 198, 201}, values);
  }

  @Test
  void readsLabelsThatStartFromOne() throws IOException {
    Path file = write("labels.gz", labels(1, 26, 3));
    assertArrayEquals(new int[] {0, 25, 2}, Idx.labels(file, 1, 26));
  }

  @Test
  void rejectsInvalidFiles() throws IOException {
    byte[] images = images(2, 2, 3);
    assertMessage(
        "truncated after 11 of 12 bytes", write("a", java.util.Arrays.copyOf(images, 27)));
    assertMessage(
        "unexpected bytes after the 2 images", write("b", java.util.Arrays.copyOf(images, 29)));
    assertMessage("the magic number is 00000801, expected 00000803", write("c", labels(1)));
    assertMessage("truncated within the header", write("d", new byte[] {0, 0}));
    assertMessage("no such file", folder.resolve("missing"));
    byte[] huge = images.clone();
    java.util.Arrays.fill(huge, 4, 16, (byte) 0x7f);
    assertMessage("invalid header", write("f", huge));
    DataException e =
        assertThrows(DataException.class, () -> Idx.labels(write("e", labels(3, 27)), 1, 26));
    assertTrue(e.getMessage().contains("label 1: 27, expected 1 to 26"), e.getMessage());
  }

  private static void assertMessage(String expected, Path file) {
    DataException e = assertThrows(DataException.class, () -> Idx.images(file, false));
    assertTrue(e.getMessage().contains(expected), e.getMessage());
    assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
  }
}
