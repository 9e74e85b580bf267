package org.alfamix.data;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alfamix.math.FloatMatrix;

/**
 * A NumPy {@code .npy} file: one array of numbers in C order.
 *
 * <p>The format (versions 1 to 3) is a magic string, the version, the length of a header and the
 * header: a Python dictionary with type, order and shape. What follows is the array itself.
 */
public final class Npy {
  private static final Pattern TYPE = Pattern.compile("'descr': *'([<>|=])([a-z])(\\d+)'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order': *(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape': *\\(([^)]*)\\)");
  private static final int CHUNK = 1 << 20;

  private final Path file;
  private final String type;
  private final ByteOrder byteOrder;
  private final int[] shape;
  private final long dataOffset;

  private Npy(Path file, String type, ByteOrder byteOrder, int[] shape, long dataOffset) {
    this.file = file;
    this.type = type;
    this.byteOrder = byteOrder;
    this.shape = shape;
    this.dataOffset = dataOffset;
  }

  /**
   * Reads the header and checks that the file holds what it promises.
   *
   * @throws DataException where it does not
   */
  public static Npy open(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(8);
      if (start.length < 8
          || start[0] != (byte) 0x93
          || !new String(start, 1, 5, StandardCharsets.US_ASCII).equals("NUMPY")) {
        throw new DataException(file + ": not an .npy file: it does not begin with \\x93NUMPY.");
      }
      int version = start[6];
      if (version < 1 || version > 3) {
        throw new DataException(file + ": .npy version " + version + ", expected 1, 2 or 3.");
      }
      int lengthBytes = version == 1 ? 2 : 4;
      byte[] lengthField = Arrays.copyOf(in.readNBytes(lengthBytes), 4);
      int length = ByteBuffer.wrap(lengthField).order(ByteOrder.LITTLE_ENDIAN).getInt();
      byte[] header = length < 0 ? new byte[0] : in.readNBytes(length);
      if (length < 0 || header.length < length) {
        throw new DataException(file + ": truncated in its header.");
      }
      return parse(file, new String(header, StandardCharsets.UTF_8), 8L + lengthBytes + length);
    } catch (NoSuchFileException e) {
      throw new DataException(file + ": no such file.", e);
    } catch (IOException e) {
      throw new DataException(file + ": " + e.getMessage(), e);
    }
  }

  private static Npy parse(Path file, String header, long dataOffset) throws IOException {
    Matcher type = TYPE.matcher(header);
    Matcher order = ORDER.matcher(header);
    Matcher dimensions = SHAPE.matcher(header);
    if (!type.find()) {
      throw new DataException(
          file + ": expected an array of numbers, found the header " + header.strip() + ".");
    }
    if (!order.find() || !dimensions.find()) {
      throw new DataException(file + ": broken header " + header.strip() + ".");
    }
    if (order.group(1).equals("True")) {
      throw new DataException(
          file + ": Fortran order, expected C order (save numpy.ascontiguousarray(x)).");
    }
    int[] shape;
    try {
      shape =
          Arrays.stream(dimensions.group(1).split(","))
              .map(String::strip)
              .filter(text -> !text.isEmpty())
              .mapToInt(Integer::parseInt)
              .toArray();
    } catch (NumberFormatException e) {
      throw new DataException(file + ": cannot read the shape (" + dimensions.group(1) + ").", e);
    }
    long items = 1;
    for (int size : shape) {
      items = Math.multiplyExact(items, size);
    }
    ByteOrder byteOrder =
        type.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    long expected = dataOffset + items * Integer.parseInt(type.group(3));
    long found = Files.size(file);
    if (found < expected) {
      throw new DataException(
          "%s: truncated: %d bytes, expected %d for shape (%s)."
              .formatted(file, found, expected, dimensions.group(1)));
    }
    return new Npy(file, type.group(2) + type.group(3), byteOrder, shape, dataOffset);
  }

  public int[] shape() {
    return shape.clone();
  }

  /** The array as a matrix of floats; it must have two dimensions and hold f4 or f8. */
  public FloatMatrix readMatrix() {
    if (shape.length != 2) {
      throw new DataException("%s: %d dimensions, expected 2.".formatted(file, shape.length));
    }
    return FloatMatrix.wrap(readFloats(), shape[0], shape[1]);
  }

  /** All values as floats, in C order. */
  public float[] readFloats() {
    if (!type.equals("f4") && !type.equals("f8")) {
      throw new DataException(file + ": type " + type + ", expected f4 or f8.");
    }
    float[] result = new float[length()];
    boolean wide = type.equals("f8");
    forEachChunk(
        wide ? 8 : 4,
        (bytes, from, count) -> {
          if (wide) {
            for (int i = 0; i < count; i++) {
              result[from + i] = (float) bytes.getDouble();
            }
          } else {
            bytes.asFloatBuffer().get(result, from, count);
          }
        });
    return result;
  }

  /** All values as integers, in C order. */
  public int[] readInts() {
    if (!type.equals("i4") && !type.equals("i8")) {
      throw new DataException(file + ": type " + type + ", expected i4 or i8.");
    }
    int[] result = new int[length()];
    boolean wide = type.equals("i8");
    forEachChunk(
        wide ? 8 : 4,
        (bytes, from, count) -> {
          for (int i = 0; i < count; i++) {
            result[from + i] = wide ? Math.toIntExact(bytes.getLong()) : bytes.getInt();
          }
        });
    return result;
  }

  private int length() {
    long items = 1;
    for (int size : shape) {
      items *= size;
    }
    if (items > Integer.MAX_VALUE - 8) {
      throw new DataException(file + ": " + items + " values are too many to read at once.");
    }
    return (int) items;
  }

  private interface ChunkReader {
    void read(ByteBuffer bytes, int from, int count);
  }

  private void forEachChunk(int width, ChunkReader reader) {
    int length = length();
    ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK).order(byteOrder);
    try (FileChannel channel = FileChannel.open(file)) {
      channel.position(dataOffset);
      for (int from = 0; from < length; ) {
        int count = Math.min(CHUNK / width, length - from);
        buffer.clear().limit(count * width);
        while (buffer.hasRemaining()) {
          if (channel.read(buffer) < 0) {
            throw new DataException(file + ": ended while it was read.");
          }
        }
        reader.read(buffer.flip(), from, count);
        from += count;
      }
    } catch (IOException e) {
      throw new DataException(file + ": " + e.getMessage(), e);
    }
  }
}
