package org.alfamix.datasets;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.alfamix.io.DataException;

/** Reads idx files, the format of MNIST: a header with counts and sizes, followed by bytes. */
public final class Idx {
  private static final int IMAGES = 0x0803;
  private static final int LABELS = 0x0801;

  private Idx() {}

  /**
   * Reads images; {@code .gz} files are decompressed on the fly.
   *
   * @param transposed whether pixels are in column-major order, as in EMNIST
   */
  public static ByteInputs images(Path file, boolean transposed) {
    try (DataInputStream in = open(file)) {
      requireMagic(file, in.readInt(), IMAGES, "images");
      int count = in.readInt();
      int height = in.readInt();
      int width = in.readInt();
      if (count < 0 || height < 1 || width < 1 || tooMany(count, height, width)) {
        throw new DataException(
            "%s: invalid header: %d images of %d x %d pixels."
                .formatted(file, count, height, width));
      }
      byte[] pixels = bytes(file, in, count * height * width, count + " images");
      return new ByteInputs(
          InputShape.image(1, transposed ? width : height, transposed ? height : width),
          transposed ? transpose(pixels, count, height, width) : pixels);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  /**
   * Reads labels.
   *
   * @param first number of the first class in the file: 0, or 1 as in the letters of EMNIST
   */
  public static int[] labels(Path file, int first, int classes) {
    try (DataInputStream in = open(file)) {
      requireMagic(file, in.readInt(), LABELS, "labels");
      int count = in.readInt();
      if (count < 0) {
        throw new DataException("%s: invalid header: %d labels.".formatted(file, count));
      }
      byte[] bytes = bytes(file, in, count, count + " labels");
      int[] labels = new int[count];
      for (int i = 0; i < count; i++) {
        labels[i] = (bytes[i] & 0xff) - first;
        if (labels[i] < 0 || labels[i] >= classes) {
          throw new DataException(
              "%s, label %d: %d, expected %d to %d."
                  .formatted(file, i, bytes[i] & 0xff, first, first + classes - 1));
        }
      }
      return labels;
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static boolean tooMany(long count, long height, long width) {
    // Step by step: the product of all three may overflow a long.
    return height * width > Integer.MAX_VALUE || count * (height * width) > Integer.MAX_VALUE - 8;
  }

  private static DataInputStream open(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      return new DataInputStream(
          file.getFileName().toString().endsWith(".gz")
              ? new GZIPInputStream(in, 1 << 16)
              : new BufferedInputStream(in, 1 << 16));
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  private static void requireMagic(Path file, int found, int expected, String content) {
    if (found != expected) {
      throw new DataException(
          "%s: the magic number is %08x, expected %08x: idx %s of bytes."
              .formatted(file, found, expected, content));
    }
  }

  private static byte[] bytes(Path file, DataInputStream in, int count, String content)
      throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new DataException(
          "%s: truncated after %d of %d bytes; the header declares %s."
              .formatted(file, bytes.length, count, content));
    }
    if (in.read() >= 0) {
      throw new DataException(
          "%s: unexpected bytes after the %s declared in the header.".formatted(file, content));
    }
    return bytes;
  }

  private static DataException unreadable(Path file, IOException e) {
    return e instanceof EOFException
        ? new DataException(file + ": truncated within the header.", e)
        : DataException.unreadable(file, e);
  }

  private static byte[] transpose(byte[] pixels, int count, int height, int width) {
    byte[] result = new byte[pixels.length];
    for (int i = 0; i < count; i++) {
      int at = i * height * width;
      for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
          result[at + x * height + y] = pixels[at + y * width + x];
        }
      }
    }
    return result;
  }
}
