package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares binary and PNG files of the same images. */
class CifarTest {
  @TempDir Path folder;

  private static int value(int image, int channel, int y, int x) {
    return (31 * image + 85 * channel + 7 * y + 3 * x) % 256;
  }

  private Path binary(String name, int first, int count, int labelBytes) throws IOException {
    byte[] bytes = new byte[count * (labelBytes + 3072)];
    int at = 0;
    for (int i = first; i < first + count; i++) {
      at += labelBytes - 1;
      bytes[at++] = (byte) (i % 10);
      for (int p = 0; p < 3072; p++) {
        bytes[at++] = (byte) value(i, p / 1024, p % 1024 / 32, p % 32);
      }
    }
    return Files.write(folder.resolve(name), bytes);
  }

  private Path png(String name, int first, int count) throws IOException {
    BufferedImage image = new BufferedImage(1024, count, BufferedImage.TYPE_INT_RGB);
    for (int i = 0; i < count; i++) {
      for (int y = 0; y < 32; y++) {
        for (int x = 0; x < 32; x++) {
          int rgb = 0;
          for (int c = 0; c < 3; c++) {
            rgb = rgb << 8 | value(first + i, c, y, x);
          }
          image.setRGB(y * 32 + x, i, rgb);
        }
      }
    }
    Path file = folder.resolve(name);
    ImageIO.write(image, "png", file.toFile());
    return file;
  }

  @Test
  void readsTheSameImagesFromBothForms() throws IOException {
    Dataset.Part binary =
        Cifar.binary(List.of(binary("1.bin", 0, 3, 1), binary("2.bin", 3, 2, 1)), 1, 10);
    Path labels = Files.writeString(folder.resolve("labels.json"), "[0, 1, 2, 3, 4]");
    Dataset.Part png = Cifar.pngs(List.of(png("1.png", 0, 3), png("2.png", 3, 2)), labels, 10);
    assertArrayEquals(new int[] {0, 1, 2, 3, 4}, binary.labels());
    assertArrayEquals(binary.labels(), png.labels());
    assertEquals(InputShape.image(3, 32, 32), png.inputs().shape());
    float[] a = new float[3072];
    float[] b = new float[3072];
    for (int i = 0; i < 5; i++) {
      binary.inputs().read(i, a, 0);
      png.inputs().read(i, b, 0);
      assertArrayEquals(a, b);
      assertEquals(value(i, 2, 31, 5), a[2 * 1024 + 31 * 32 + 5]);
    }
  }

  @Test
  void usesTheFineOfTwoLabels() throws IOException {
    Dataset.Part part = Cifar.binary(List.of(binary("fine.bin", 7, 2, 2)), 2, 100);
    assertArrayEquals(new int[] {7, 8}, part.labels());
  }

  @Test
  void rejectsInvalidFiles() throws IOException {
    Path cut = Files.write(folder.resolve("cut.bin"), new byte[3072]);
    assertMessage(
        "cut.bin: 3072 bytes, expected a multiple of the record size of 3073",
        () -> Cifar.binary(List.of(cut), 1, 10));
    Path file = binary("9.bin", 9, 1, 1);
    assertMessage("record 0: label 9, expected 0 to 8", () -> Cifar.binary(List.of(file), 1, 9));
    Path png = png("1.png", 0, 2);
    Path three = Files.writeString(folder.resolve("three.json"), "[1,2,3]");
    assertMessage(
        "3 labels, but the PNG files have 2 rows", () -> Cifar.pngs(List.of(png), three, 10));
    Path text = Files.writeString(folder.resolve("text.json"), "[1,\"two\"]");
    assertMessage("label 1: expected 0 to 9, found two", () -> Cifar.pngs(List.of(png), text, 10));
    Path half = Files.writeString(folder.resolve("half.json"), "[1,2");
    assertMessage("half.json", () -> Cifar.pngs(List.of(png), half, 10));
  }

  private static void assertMessage(String expected, org.junit.jupiter.api.function.Executable e) {
    DataException failure = assertThrows(DataException.class, e);
    assertTrue(failure.getMessage().contains(expected), failure.getMessage());
  }
}
