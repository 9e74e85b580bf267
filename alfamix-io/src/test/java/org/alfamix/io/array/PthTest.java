package org.alfamix.io.array;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads files written by PyTorch 2 for Python, and some invalid ones. */
class PthTest {
  @TempDir private Path folder;

  private static Path file(String name) throws Exception {
    return Path.of(PthTest.class.getResource("pth/" + name).toURI());
  }

  @Test
  void readsAStateDictionary() throws Exception {
    Pth pth = Pth.open(file("state.pth"));
    assertEquals(
        List.of(
            "0.weight",
            "0.bias",
            "1.weight",
            "1.bias",
            "1.running_mean",
            "1.running_var",
            "1.num_batches_tracked",
            "2.weight",
            "2.bias"),
        pth.names());
    assertArrayEquals(new long[] {4, 3}, pth.shape("0.weight").orElseThrow());
    float[] weight = pth.array("0.weight").readFloats();
    assertEquals(0.29748735f, weight[0], 1e-7f);
    assertArrayEquals(new float[] {1, 1, 1, 1}, pth.array("1.weight").readFloats());
    assertTrue(
        assertThrows(DataException.class, () -> pth.array("3.weight"))
            .getMessage()
            .contains("no array '3.weight'; it has 0.weight, 0.bias"));
  }

  @Test
  void readsNestedDictionaries() throws Exception {
    Pth pth = Pth.open(file("nested.pt"));
    assertTrue(pth.names().contains("model.module.0.weight"), pth.names().toString());
    assertArrayEquals(
        pth.array("model.module.0.weight").readFloats(), pth.array("param").readFloats());
    assertFalse(pth.names().contains("epoch"));
  }

  @Test
  void readsEveryTypeAndLayout() throws Exception {
    Pth pth = Pth.open(file("kinds.pth"));
    float[] transposed = pth.array("t").readFloats();
    assertArrayEquals(new long[] {6, 4}, pth.shape("t").orElseThrow());
    assertArrayEquals(new float[] {0, 6, 12, 18, 1, 7}, Arrays.copyOf(transposed, 6));
    assertArrayEquals(new float[] {8, 9, 10, 14, 15, 16}, pth.array("slice").readFloats());
    for (String name : List.of("half", "bf", "double")) {
      assertArrayEquals(new float[] {0, 1, 2, 3, 4, 5}, pth.array(name).readFloats(), name);
    }
    assertEquals(ElementType.I8, pth.array("long").type());
    assertEquals(ElementType.BOOL, pth.array("bool").type());
    assertArrayEquals(new float[] {2.5f}, pth.array("scalar").readFloats());
    assertEquals(0, pth.array("empty").size());
  }

  @Test
  void rejectsAHostilePickleWithoutExecutingIt() throws Exception {
    Path marker = Path.of("/tmp/alfamix-was-here");
    Files.deleteIfExists(marker);
    String message =
        assertThrows(DataException.class, () -> Pth.open(file("hostile.pth"))).getMessage();
    assertTrue(message.contains("calls 'posix.system', which is not allowed"), message);
    assertFalse(Files.exists(marker));
  }

  @Test
  void reportsInvalidFiles() throws Exception {
    Path text = Files.writeString(folder.resolve("text.pth"), "some text");
    assertTrue(
        assertThrows(DataException.class, () -> Pth.open(text)).getMessage().contains("not a zip"));
    assertTrue(
        assertThrows(DataException.class, () -> Pth.open(zip("other.txt", new byte[3])))
            .getMessage()
            .contains("no data.pkl"));
    byte[] whole = pickle();
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = Arrays.copyOf(whole, i % 2 == 0 ? random.nextInt(whole.length) : whole.length);
      for (int change = 0; change < i % 4 && bytes.length > 0; change++) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        Unpickler.read("damaged", bytes);
      } catch (DataException e) {
        assertFalse(e.getMessage().contains("\n"), e.getMessage());
      }
    }
  }

  /** Each dictionary contains the previous one 20 times: a few hundred bytes for 20¹⁰ values. */
  @Test
  void rejectsExponentiallyNestedDictionaries() throws Exception {
    ByteArrayOutputStream pickle = new ByteArrayOutputStream();
    pickle.write(new byte[] {(byte) 0x80, 2, '}', 'q', 0});
    for (int level = 1; level <= 10; level++) {
      pickle.write(new byte[] {'}', 'q', (byte) level, '('});
      for (int k = 0; k < 20; k++) {
        pickle.write(new byte[] {'K', (byte) k, 'h', (byte) (level - 1)});
      }
      pickle.write('u');
    }
    pickle.write('.');
    Path file = zip("x/data.pkl", pickle.toByteArray());
    assertEquals(
        file + ": more than 1,000,000 values, too many for a checkpoint.",
        assertThrows(DataException.class, () -> Pth.open(file)).getMessage());
  }

  private byte[] pickle() throws Exception {
    try (var zip = new java.util.zip.ZipFile(file("state.pth").toFile())) {
      return zip.getInputStream(zip.getEntry("state/data.pkl")).readAllBytes();
    }
  }

  private Path zip(String name, byte[] bytes) throws IOException {
    Path file = folder.resolve("generated.pth");
    try (OutputStream out = Files.newOutputStream(file);
        ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
      zip.putNextEntry(new ZipEntry(name));
      zip.write(bytes);
    }
    return file;
  }
}
