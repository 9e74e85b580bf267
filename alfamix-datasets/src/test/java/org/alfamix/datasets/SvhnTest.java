package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads MATLAB files of version 5, written by SciPy: one is compressed and has labels as bytes, the
 * other is not compressed and has labels of another type.
 */
class SvhnTest {
  @TempDir Path folder;

  private static Path resource(String name) {
    try {
      return Path.of(SvhnTest.class.getResource(name).toURI());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static int value(int item, int c, int y, int x) {
    int digit = (item % 10 + 1) % 10;
    return (y / 8 * 20 + x / 16 * 40 + c * 7 + digit * 9 + item / 10) % 256;
  }

  @Test
  void readsCompressedAndUncompressedFiles() {
    Dataset data = Svhn.read(resource("svhn-train.mat"), resource("svhn-test.mat"), 50_000);
    assertEquals(120, data.pool().size());
    assertEquals(30, data.test().size());
    assertEquals(InputShape.image(3, 32, 32), data.shape());
    for (Dataset.Part part : new Dataset.Part[] {data.pool(), data.test()}) {
      for (int item : new int[] {0, 9, 23}) {
        assertEquals((item % 10 + 1) % 10, part.labels()[item], "10 stands for the digit 0");
        float[] pixels = new float[3072];
        part.inputs().read(item, pixels, 0);
        for (int p = 0; p < 3072; p++) {
          assertEquals(value(item, p / 1024, p % 1024 / 32, p % 32), pixels[p]);
        }
      }
    }
  }

  @Test
  void samplesAFixedPool() {
    Dataset once = Svhn.read(resource("svhn-train.mat"), resource("svhn-test.mat"), 50);
    Dataset again = Svhn.read(resource("svhn-train.mat"), resource("svhn-test.mat"), 50);
    assertEquals(50, once.pool().size());
    assertArrayEquals(once.pool().labels(), again.pool().labels());
  }

  @Test
  void rejectsInvalidFiles() throws IOException {
    Path test = resource("svhn-test.mat");
    byte[] bytes = Files.readAllBytes(test);
    Path cut = Files.write(folder.resolve("cut.mat"), Arrays.copyOf(bytes, 50_000));
    assertEquals(
        cut + ": the file is truncated or corrupt.",
        assertThrows(DataException.class, () -> Svhn.read(test, cut, 10)).getMessage());
    Path other = Files.writeString(folder.resolve("other.mat"), "x".repeat(200));
    assertEquals(
        other + ": not a MATLAB file of version 5.",
        assertThrows(DataException.class, () -> Svhn.read(other, test, 10)).getMessage());
    Path packed = folder.resolve("packed.mat");
    byte[] train = Files.readAllBytes(resource("svhn-train.mat"));
    Arrays.fill(train, 200, 300, (byte) 7);
    Files.write(packed, train);
    assertEquals(
        packed + ": the file is truncated or corrupt.",
        assertThrows(DataException.class, () -> Svhn.read(packed, test, 10)).getMessage());
    Path half = Files.write(folder.resolve("half.mat"), Arrays.copyOf(bytes, 128));
    assertEquals(
        half + ": expected the arrays X and y, found none.",
        assertThrows(DataException.class, () -> Svhn.read(half, test, 10)).getMessage());
  }
}
