package org.alfamix.datasets;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.io.DataException;

/**
 * Reads the digits of SVHN, cropped from the publisher's images of whole numbers and resized to 32
 * × 32 pixels: sheets of 40 × 25 tiles in row-major order ({@code train-00.jpg} and so on) and a
 * file with one digit per tile ({@code train-labels.txt}). The class distribution is that of the
 * publisher's cropped digits; the pixels are not identical.
 */
final class SvhnSheets {
  private static final int COLUMNS = 40;
  private static final int ROWS = 25;
  private static final int SIDE = 32;
  private static final int CHANNELS = 3;
  private static final InputShape SHAPE = InputShape.image(CHANNELS, SIDE, SIDE);

  private SvhnSheets() {}

  /**
   * Reads all sheets.
   *
   * @param pool size of the pool, a fixed random sample of the training images; all of them if
   *     there are fewer
   */
  static Dataset read(String name, Path folder, int pool) {
    List<String> names = IntStream.range(0, 10).mapToObj(Integer::toString).toList();
    Dataset all =
        new Dataset(name, names, part(folder, "train"), part(folder, "test"), Svhn.SCALING);
    return all.pool().size() > pool ? all.withPool(pool) : all;
  }

  /** Returns all sheets, with their sizes and checksums. */
  static List<DataFile> sheets() {
    try (InputStream in = SvhnSheets.class.getResourceAsStream("svhn-cropped.txt")) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(line -> line.split(" "))
          .map(words -> new DataFile(words[2], Long.parseLong(words[1]), words[0]))
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String sheet(String part, int number) {
    return String.format(Locale.ROOT, "%s-%02d.jpg", part, number);
  }

  private static Part part(Path folder, String part) {
    int[] labels = labels(folder.resolve(part + "-labels.txt"));
    int perSheet = COLUMNS * ROWS;
    byte[] pixels = new byte[labels.length * SHAPE.length()];
    for (int from = 0; from < labels.length; from += perSheet) {
      Path sheet = folder.resolve(sheet(part, from / perSheet));
      readTiles(sheet, Math.min(perSheet, labels.length - from), pixels, from);
    }
    return new Part(new ByteInputs(SHAPE, pixels), labels);
  }

  private static int[] labels(Path file) {
    String digits;
    try {
      digits = Files.readString(file, StandardCharsets.US_ASCII).strip();
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
    int[] labels = new int[digits.length()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = digits.charAt(i) - '0';
      if (labels[i] < 0 || labels[i] > 9) {
        throw new DataException(
            "%s, label %d: expected a digit, found '%s'.".formatted(file, i + 1, digits.charAt(i)));
      }
    }
    return labels;
  }

  private static void readTiles(Path sheet, int count, byte[] pixels, int first) {
    BufferedImage image;
    try {
      image = Images.decode(sheet.toString(), Files.readAllBytes(sheet));
    } catch (IOException e) {
      throw DataException.unreadable(sheet, e);
    }
    int rows = (count + COLUMNS - 1) / COLUMNS;
    if (image.getWidth() != COLUMNS * SIDE || image.getHeight() < rows * SIDE) {
      throw new DataException(
          "%s: %d x %d pixels, expected %d x %d for %d tiles."
              .formatted(
                  sheet, image.getWidth(), image.getHeight(), COLUMNS * SIDE, rows * SIDE, count));
    }
    int plane = SIDE * SIDE;
    int[] tile = new int[plane];
    for (int i = 0; i < count; i++) {
      image.getRGB(i % COLUMNS * SIDE, i / COLUMNS * SIDE, SIDE, SIDE, tile, 0, SIDE);
      int at = (first + i) * SHAPE.length();
      for (int p = 0; p < plane; p++) {
        pixels[at + p] = (byte) (tile[p] >> 16);
        pixels[at + plane + p] = (byte) (tile[p] >> 8);
        pixels[at + 2 * plane + p] = (byte) tile[p];
      }
    }
  }
}
