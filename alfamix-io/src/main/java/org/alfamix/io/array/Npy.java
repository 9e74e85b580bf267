package org.alfamix.io.array;

import java.io.BufferedInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;

/** NumPy's {@code .npy} format: one array per file. */
public final class Npy {
  private Npy() {}

  /**
   * Reads the header and checks that the file contains all of the array.
   *
   * @throws DataException if the file is invalid or truncated
   */
  public static NumericArray open(Path file) {
    String name = file.toString();
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 10)) {
      NpyHeader header = NpyHeader.read(in, name);
      ElementType type = header.requireNumbers(name);
      long expected = header.length() + header.dataLength();
      long found = Files.size(file);
      NumericArray array =
          new NumericArray(
              name, ByteSource.of(file), header.length(), type, header.byteOrder(), header.shape());
      if (found < expected) {
        throw new DataException(
            "%s: truncated: %d bytes, expected %d for %s."
                .formatted(name, found, expected, array.formatShape()));
      }
      return array;
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /** Writes long integers as a one-dimensional array. */
  public static void write(OutputStream out, long[] values) throws IOException {
    writeHeader(out, "<i8", values.length + ",");
    ByteBuffer bytes = ByteBuffer.allocate(8 * 1024).order(ByteOrder.LITTLE_ENDIAN);
    for (long value : values) {
      if (!bytes.hasRemaining()) {
        out.write(bytes.array(), 0, bytes.position());
        bytes.clear();
      }
      bytes.putLong(value);
    }
    out.write(bytes.array(), 0, bytes.position());
  }

  /** Writes floats as a one-dimensional array. */
  public static void write(OutputStream out, float[] values) throws IOException {
    writeHeader(out, "<f4", values.length + ",");
    writeFloats(out, values, 0, values.length);
  }

  /** Writes a matrix as a two-dimensional array. */
  public static void write(OutputStream out, FloatMatrix matrix) throws IOException {
    writeHeader(out, "<f4", matrix.rows() + ", " + matrix.columns());
    for (int i = 0; i < matrix.rows(); i++) {
      writeFloats(out, matrix.array(), matrix.rowOffset(i), matrix.columns());
    }
  }

  /** Writes strings as a one-dimensional array whose items are as wide as the longest. */
  public static void write(OutputStream out, List<String> texts) throws IOException {
    int width = 1;
    for (String text : texts) {
      width = Math.max(width, text.codePointCount(0, text.length()));
    }
    writeHeader(out, "<U" + width, texts.size() + ",");
    for (String text : texts) {
      ByteBuffer bytes = ByteBuffer.allocate(4 * width).order(ByteOrder.LITTLE_ENDIAN);
      text.codePoints().forEach(bytes::putInt);
      out.write(bytes.array());
    }
  }

  private static void writeFloats(OutputStream out, float[] values, int offset, int count)
      throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asFloatBuffer().put(values, offset, count);
    out.write(bytes.array());
  }

  /** Writes the header that precedes the data, in version 1 of the format. */
  public static void writeHeader(OutputStream out, String type, String shape) throws IOException {
    String text = "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }".formatted(type, shape);
    // NumPy pads with spaces so that the data start at a multiple of 64.
    int padding = (64 - (10 + text.length() + 1) % 64) % 64;
    byte[] header = (text + " ".repeat(padding) + "\n").getBytes(StandardCharsets.US_ASCII);
    DataOutputStream data = new DataOutputStream(out);
    data.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
    data.writeShort(Short.reverseBytes((short) header.length));
    data.write(header);
    data.flush();
  }
}
