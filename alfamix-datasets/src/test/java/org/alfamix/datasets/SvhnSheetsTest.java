package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sheets are PNG files with JPEG names, so that pixels can be compared exactly. */
class SvhnSheetsTest {
  @TempDir Path folder;

  @BeforeEach
  void writeSheets() throws IOException {
    write("train", 1_045);
    write("test", 41);
  }

  /** Returns the colour of a tile, which encodes its index. */
  private static int colour(int item) {
    return (item % 250) << 16 | (item / 250) << 8 | 77;
  }

  private void write(String part, int count) throws IOException {
    StringBuilder labels = new StringBuilder();
    for (int from = 0; from < count; from += 1_000) {
      BufferedImage sheet = new BufferedImage(40 * 32, 25 * 32, BufferedImage.TYPE_INT_RGB);
      for (int i = from; i < Math.min(count, from + 1_000); i++) {
        int x = i % 1_000 % 40 * 32;
        int y = i % 1_000 / 40 * 32;
        for (int p = 0; p < 1_024; p++) {
          sheet.setRGB(x + p % 32, y + p / 32, colour(i));
        }
        labels.append(i % 7);
      }
      Path file = folder.resolve("%s-%02d.jpg".formatted(part, from / 1_000));
      ImageIO.write(sheet, "png", file.toFile());
    }
    Files.writeString(folder.resolve(part + "-labels.txt"), labels);
  }

  @Test
  void readsTilesInRowMajorOrder() {
    Dataset set = SvhnSheets.read("svhn-cropped", folder, 50_000);
    assertEquals(1_045, set.pool().size());
    assertEquals(41, set.test().size());
    float[] pixels = new float[3_072];
    for (int item : new int[] {0, 39, 40, 999, 1_000, 1_044}) {
      set.pool().inputs().read(item, pixels, 0);
      assertEquals(item % 7, set.pool().labels()[item]);
      assertEquals(item % 250, pixels[0], "red of " + item);
      assertEquals(item / 250, pixels[1_024 + 1_023], "green of " + item);
      assertEquals(77, pixels[2_048 + 500], "blue of " + item);
    }
  }

  @Test
  void samplesAFixedPool() {
    Dataset some = SvhnSheets.read("svhn-cropped", folder, 100);
    assertEquals(100, some.pool().size());
    assertArrayEquals(
        some.pool().labels(), SvhnSheets.read("svhn-cropped", folder, 100).pool().labels());
  }

  @Test
  void rejectsInvalidLabelsAndSheets() throws IOException {
    Files.writeString(folder.resolve("test-labels.txt"), "01x");
    assertTrue(
        message().endsWith("test-labels.txt, label 3: expected a digit, found 'x'."), message());
    Files.writeString(folder.resolve("test-labels.txt"), "0".repeat(1_001));
    assertTrue(message().contains("test-01.jpg"), message());
    BufferedImage narrow = new BufferedImage(640, 800, BufferedImage.TYPE_INT_RGB);
    ImageIO.write(narrow, "png", folder.resolve("test-00.jpg").toFile());
    assertTrue(
        message().endsWith("test-00.jpg: 640 x 800 pixels, expected 1280 x 800 for 1000 tiles."),
        message());
  }

  private String message() {
    return assertThrows(DataException.class, () -> SvhnSheets.read("svhn-cropped", folder, 50_000))
        .getMessage();
  }

  @Test
  void readsRealDigitsWithThePublishersCounts() {
    Path real = SharedData.file("svhn-cropped/train-labels.txt").getParent();
    Dataset set = SvhnSheets.read("svhn-cropped", real, 50_000);
    assertEquals(50_000, set.pool().size());
    assertEquals(26_032, set.test().size());
    int ones = 0;
    for (int label : set.test().labels()) {
      ones += label == 1 ? 1 : 0;
    }
    assertEquals(5_099, ones, "ones among the publisher's test digits");
  }
}
