package org.alfamix.datasets;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.io.DataException;
import org.alfamix.io.table.Json;
import org.alfamix.math.Parallel;

/** Reads the CIFAR data sets: the publisher's binary files, and PNG files of many images. */
public final class Cifar {
  static final InputShape SHAPE = InputShape.image(3, 32, 32);
  private static final int SIDE = 32;
  private static final int PIXELS = SIDE * SIDE;

  private Cifar() {}

  /**
   * Reads binary files: records of label bytes and 3,072 pixel values, channel by channel.
   *
   * @param labelBytes 1 for CIFAR-10; 2 for CIFAR-100, where the second byte is the fine label
   */
  public static Part binary(List<Path> files, int labelBytes, int classes) {
    int record = labelBytes + SHAPE.length();
    long total = 0;
    for (Path file : files) {
      long size = size(file);
      if (size == 0 || size % record != 0) {
        throw new DataException(
            "%s: %d bytes, expected a multiple of the record size of %d bytes."
                .formatted(file, size, record));
      }
      total += size / record;
    }
    byte[] pixels = new byte[Math.toIntExact(total * SHAPE.length())];
    int[] labels = new int[(int) total];
    int at = 0;
    for (Path file : files) {
      byte[] bytes = read(file);
      for (int row = 0; row < bytes.length / record; row++, at++) {
        int label = bytes[row * record + labelBytes - 1] & 0xff;
        if (label >= classes) {
          throw new DataException(
              "%s, record %d: label %d, expected 0 to %d."
                  .formatted(file, row, label, classes - 1));
        }
        labels[at] = label;
        System.arraycopy(
            bytes, row * record + labelBytes, pixels, at * SHAPE.length(), SHAPE.length());
      }
    }
    return new Part(new ByteInputs(SHAPE, pixels), labels);
  }

  /**
   * Reads PNG files with one image per row, where pixel (x, y) is in column 32 y + x, and the
   * labels of all images from a JSON list.
   */
  public static Part pngs(List<Path> files, Path labelFile, int classes) {
    int[] labels = labels(labelFile, classes);
    byte[][] parts = new byte[files.size()][];
    Parallel.forBlocks(
        files.size(),
        1,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            parts[i] = png(files.get(i));
          }
        });
    int images = 0;
    for (byte[] part : parts) {
      images += part.length / SHAPE.length();
    }
    if (images != labels.length) {
      throw new DataException(
          "%s: %d labels, but the PNG files have %d rows."
              .formatted(labelFile, labels.length, images));
    }
    byte[] pixels = new byte[images * SHAPE.length()];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, pixels, at, part.length);
      at += part.length;
    }
    return new Part(new ByteInputs(SHAPE, pixels), labels);
  }

  private static byte[] png(Path file) {
    BufferedImage image = Images.decode(file.toString(), read(file));
    if (image.getWidth() != PIXELS) {
      throw new DataException(
          "%s: %d pixels wide, expected %d: one image of 32 x 32 pixels per row."
              .formatted(file, image.getWidth(), PIXELS));
    }
    // Each row of the PNG is one image, with a plane of 1 x 1024 values per channel.
    byte[] pixels = new byte[image.getHeight() * SHAPE.length()];
    int[] row = new int[PIXELS];
    for (int i = 0; i < image.getHeight(); i++) {
      image.getRGB(0, i, PIXELS, 1, row, 0, PIXELS);
      int at = i * SHAPE.length();
      for (int p = 0; p < PIXELS; p++) {
        pixels[at + p] = (byte) (row[p] >> 16);
        pixels[at + PIXELS + p] = (byte) (row[p] >> 8);
        pixels[at + 2 * PIXELS + p] = (byte) row[p];
      }
    }
    return pixels;
  }

  private static int[] labels(Path file, int classes) {
    int[] labels = new int[1 << 10];
    int count = 0;
    try (JsonParser json = new JsonFactory().createParser(Files.newInputStream(file))) {
      if (json.nextToken() != JsonToken.START_ARRAY) {
        throw new DataException(file + ": expected a JSON list of labels.");
      }
      while (json.nextToken() != JsonToken.END_ARRAY) {
        if (json.currentToken() != JsonToken.VALUE_NUMBER_INT
            || json.getIntValue() < 0
            || json.getIntValue() >= classes) {
          throw new DataException(
              "%s, label %d: expected 0 to %d, found %s."
                  .formatted(file, count, classes - 1, json.getText()));
        }
        if (count == labels.length) {
          labels = Arrays.copyOf(labels, 2 * count);
        }
        labels[count++] = json.getIntValue();
      }
    } catch (JsonProcessingException e) {
      throw new DataException("%s: invalid JSON: %s.".formatted(file, Json.reason(e)), e);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
    return Arrays.copyOf(labels, count);
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }
}
