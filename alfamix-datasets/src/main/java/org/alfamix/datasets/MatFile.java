package org.alfamix.datasets;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.InflaterInputStream;
import java.util.zip.ZipException;
import org.alfamix.io.DataException;

/**
 * Reads numeric arrays from MATLAB files of version 5, compressed or not. Supports the subset of
 * the format that data sets use.
 */
final class MatFile {
  private static final int HEADER = 128;
  private static final int MATRIX = 14;
  private static final int COMPRESSED = 15;
  private static final int FIRST_NUMERIC_CLASS = 6;
  private static final int LAST_NUMERIC_CLASS = 15;

  /**
   * An array in column-major order.
   *
   * @param type MATLAB's number of the element type
   */
  record Array(String name, int[] shape, int type, byte[] bytes, ByteOrder order) {

    int size() {
      return bytes.length / width(type);
    }

    /** Returns the value at an index. */
    double value(int at) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes).order(order);
      return switch (type) {
        case 1 -> bytes[at];
        case 2 -> bytes[at] & 0xff;
        case 3 -> buffer.getShort(2 * at);
        case 4 -> buffer.getShort(2 * at) & 0xffff;
        case 5 -> buffer.getInt(4 * at);
        case 6 -> buffer.getInt(4 * at) & 0xffffffffL;
        case 7 -> buffer.getFloat(4 * at);
        case 9 -> buffer.getDouble(8 * at);
        default -> buffer.getLong(8 * at);
      };
    }

    /** Returns whether the values are unsigned bytes. */
    boolean isBytes() {
      return type == 2;
    }
  }

  private final Path file;
  private final ByteOrder order;

  private MatFile(Path file, ByteOrder order) {
    this.file = file;
    this.order = order;
  }

  /** Returns all numeric arrays, by their names. */
  static Map<String, Array> read(Path file) {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
      byte[] header = in.readNBytes(HEADER);
      boolean little = header.length == HEADER && header[126] == 'I' && header[127] == 'M';
      boolean big = header.length == HEADER && header[126] == 'M' && header[127] == 'I';
      if (!little && !big) {
        throw new DataException(file + ": not a MATLAB file of version 5.");
      }
      MatFile reader = new MatFile(file, little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
      Map<String, Array> arrays = new LinkedHashMap<>();
      for (Element next = reader.next(in); next != null; next = reader.next(in)) {
        Array array = reader.array(next, in);
        if (array != null) {
          arrays.put(array.name(), array);
        }
      }
      return arrays;
    } catch (EOFException | ZipException e) {
      throw new DataException(file + ": the file is truncated or corrupt.", e);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /** The tag of a data element: type and number of bytes; small elements include their data. */
  private record Element(int type, int bytes, byte[] small) {}

  private Element next(InputStream in) throws IOException {
    byte[] tag = in.readNBytes(8);
    if (tag.length == 0) {
      return null;
    }
    if (tag.length < 8) {
      throw new EOFException();
    }
    ByteBuffer buffer = ByteBuffer.wrap(tag).order(order);
    int first = buffer.getInt();
    if (first >>> 16 != 0) {
      int bytes = first >>> 16;
      if (bytes > 4) {
        throw new DataException(
            file + ": corrupt file: the size of a small data element is not 0 to 4 bytes.");
      }
      return new Element(first & 0xffff, bytes, Arrays.copyOfRange(tag, 4, 4 + bytes));
    }
    int bytes = buffer.getInt();
    if (bytes < 0) {
      throw new DataException(file + ": data elements of more than 2 GB are not supported.");
    }
    return new Element(first, bytes, null);
  }

  /** Reads an array; returns null for anything other than a numeric array. */
  private Array array(Element element, InputStream in) throws IOException {
    if (element.type == COMPRESSED) {
      Bounded compressed = new Bounded(in, element.bytes);
      InputStream decompressed =
          new BufferedInputStream(new InflaterInputStream(compressed), 1 << 16);
      Element inner = next(decompressed);
      Array array = inner == null ? null : array(inner, decompressed);
      compressed.skipRest();
      return array;
    }
    if (element.type != MATRIX) {
      in.skipNBytes(paddedLength(element.bytes));
      return null;
    }
    Bounded content = new Bounded(in, element.bytes);
    ByteBuffer flags = ByteBuffer.wrap(bytes(content)).order(order);
    int kind = flags.getInt() & 0xff;
    boolean complex = (flags.getInt(0) & 0x800) != 0;
    int[] shape = integers(ByteBuffer.wrap(bytes(content)).order(order));
    String name = new String(bytes(content), StandardCharsets.US_ASCII);
    if (kind < FIRST_NUMERIC_CLASS || kind > LAST_NUMERIC_CLASS || complex) {
      content.skipRest();
      return null;
    }
    Element values = next(content);
    if (values == null) {
      throw new EOFException();
    }
    byte[] numbers = values.small != null ? values.small : readExactly(content, values.bytes);
    content.skipRest();
    long count = Arrays.stream(shape).asLongStream().reduce(1, Math::multiplyExact);
    if (count * width(values.type) != numbers.length) {
      throw new DataException(
          "%s: %s has %d bytes, which does not match its size of %d values."
              .formatted(file, name, numbers.length, count));
    }
    return new Array(name, shape, values.type, numbers, order);
  }

  private byte[] bytes(InputStream in) throws IOException {
    Element element = next(in);
    if (element == null) {
      throw new EOFException();
    }
    if (element.small != null) {
      return element.small;
    }
    byte[] bytes = readExactly(in, element.bytes);
    in.skipNBytes(paddedLength(element.bytes) - element.bytes);
    return bytes;
  }

  private static byte[] readExactly(InputStream in, int count) throws IOException {
    byte[] bytes = in.readNBytes(count);
    if (bytes.length < count) {
      throw new EOFException();
    }
    return bytes;
  }

  private static int[] integers(ByteBuffer buffer) {
    int[] result = new int[buffer.remaining() / 4];
    buffer.asIntBuffer().get(result);
    return result;
  }

  private static long paddedLength(int bytes) {
    return (bytes + 7L) / 8 * 8;
  }

  private static int width(int type) {
    return switch (type) {
      case 1, 2 -> 1;
      case 3, 4 -> 2;
      case 5, 6, 7 -> 4;
      case 9, 12, 13 -> 8;
      default ->
          throw new DataException(
              "Unsupported MATLAB element type " + type + ", expected a numeric type.");
    };
  }

  /** The bytes of one element of a stream. */
  private static final class Bounded extends InputStream {
    private final InputStream in;
    private int remaining;

    Bounded(InputStream in, int bytes) {
      this.in = in;
      this.remaining = bytes;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (remaining == 0 || length == 0) {
        return length == 0 ? 0 : -1;
      }
      int count = in.read(target, offset, Math.min(length, remaining));
      if (count < 0) {
        throw new EOFException();
      }
      remaining -= count;
      return count;
    }

    void skipRest() throws IOException {
      in.skipNBytes(remaining);
      remaining = 0;
    }
  }
}
