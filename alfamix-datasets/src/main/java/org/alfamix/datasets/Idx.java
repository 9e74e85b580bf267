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

/** The idx files that MNIST made known: bytes behind a header with their number and size. */
public final class Idx {
  private static final int IMAGES = 0x0803;
  private static final int LABELS = 0x0801;

  private Idx() {}

  /**
   * Reads images; a file that ends in {@code .gz} is unpacked on the way.
   *
   * @param transposed whether the file has columns where others have rows, as EMNIST's do
   */
  public static ByteInputs images(Path file, boolean transposed) {
    try (DataInputStream in = open(file)) {
      requireMagic(file, in.readInt(), IMAGES, "images");
      int count = in.readInt();
      int height = in.readInt();
      int width = in.readInt();
      if (count < 0 || height < 1 || width < 1 || tooMany(count, height, width)) {
        throw new DataException(
            "%s: a header of %d images of %d x %d, which cannot be."
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
   * @param first what the first class is numbered in the file: 0, or 1 as in EMNIST's letters
   */
  public static int[] labels(Path file, int first, int classes) {
    try (DataInputStream in = open(file)) {
      requireMagic(file, in.readInt(), LABELS, "labels");
      int count = in.readInt();
      if (count < 0) {
        throw new DataException("%s: a header of %d labels.".formatted(file, count));
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
    // One by one: the product of all three may leave the range of long.
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

  private static void requireMagic(Path file, int found, int expected, String what) {
    if (found != expected) {
      throw new DataException(
          "%s: begins with %08x, expected %08x, idx %s of bytes."
              .formatted(file, found, expected, what));
    }
  }

  private static byte[] bytes(Path file, DataInputStream in, int count, String what)
      throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new DataException(
          "%s: ends after %d of %d bytes; its header promises %s."
              .formatted(file, bytes.length, count, what));
    }
    if (in.read() >= 0) {
      throw new DataException(
          "%s: goes on after its %s, which its header does not tell.".formatted(file, what));
    }
    return bytes;
  }

  private static DataException unreadable(Path file, IOException e) {
    return e instanceof EOFException
        ? new DataException(file + ": ends within its header.", e)
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
