package org.alfamix.io.array;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/**
 * An array of numbers in C order, given by its bytes, element type and shape.
 *
 * <p>Values are read on demand; {@link #rows} reads only the requested rows.
 */
public final class NumericArray {
  private static final int CHUNK = 1 << 18;

  private static final ThreadLocal<ByteBuffer> BUFFERS =
      ThreadLocal.withInitial(() -> ByteBuffer.allocateDirect(CHUNK));

  private final String name;
  private final ByteSource source;
  private final long offset;
  private final ElementType type;
  private final ByteOrder byteOrder;
  private final long[] shape;

  NumericArray(
      String name,
      ByteSource source,
      long offset,
      ElementType type,
      ByteOrder byteOrder,
      long... shape) {
    this.name = name;
    this.source = source;
    this.offset = offset;
    this.type = type;
    this.byteOrder = byteOrder;
    this.shape = shape;
  }

  /** Returns the name for messages: the file, and the name of the array if the file has several. */
  public String name() {
    return name;
  }

  public ElementType type() {
    return type;
  }

  /** Returns a copy of the shape. */
  public long[] shape() {
    return shape.clone();
  }

  public int dimensions() {
    return shape.length;
  }

  /** Returns the shape as text, such as {@code 10 x 256}. */
  public String formatShape() {
    return shape.length == 0
        ? "a scalar"
        : Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(" x "));
  }

  /** Returns the number of values. */
  public long size() {
    return Arrays.stream(shape).reduce(1, Math::multiplyExact);
  }

  /** Returns the rows, which are read on demand; requires a two-dimensional array of reals. */
  public Rows rows() {
    requireDimensions(2);
    requireReal();
    if (shape[0] > Integer.MAX_VALUE || shape[1] > Integer.MAX_VALUE) {
      throw new DataException(name + ": the shape " + formatShape() + " is too large.");
    }
    return new FileRows(this, name, 0, (int) shape[0], (int) shape[1]);
  }

  /** Returns the matrices along the first of three dimensions, each read on demand. */
  public Rows[] matrices() {
    requireDimensions(3);
    requireReal();
    Rows[] result = new Rows[Math.toIntExact(shape[0])];
    for (int t = 0; t < result.length; t++) {
      long first = t * shape[1] * shape[2];
      result[t] =
          new FileRows(
              this,
              name + ", sample " + t,
              first,
              Math.toIntExact(shape[1]),
              Math.toIntExact(shape[2]));
    }
    return result;
  }

  /** Reads all values as a matrix of floats; requires a two-dimensional array of reals. */
  public FloatMatrix readMatrix() {
    return rows().toMatrix();
  }

  /** Reads all values as floats, in C order; requires an array of reals. */
  public float[] readFloats() {
    requireReal();
    float[] result = new float[intSize()];
    readFloats(0, result, 0, result.length);
    return result;
  }

  /** Reads some values as floats, by their index in C order. */
  void readFloats(long first, float[] out, int outOffset, int count) {
    ByteBuffer buffer = BUFFERS.get().order(byteOrder);
    int width = type.width();
    for (int done = 0; done < count; ) {
      int now = Math.min(CHUNK / width, count - done);
      buffer.clear().limit(now * width);
      source.read(offset + (first + done) * width, buffer);
      buffer.flip();
      if (type == ElementType.F4) {
        buffer.asFloatBuffer().get(out, outOffset + done, now);
      } else {
        for (int i = 0; i < now; i++) {
          double value = type.get(buffer);
          out[outOffset + done + i] = (float) value;
          if (Math.abs(value) > Float.MAX_VALUE && Math.abs(value) < Double.POSITIVE_INFINITY) {
            throw new DataException(
                "%s: %s at index %d exceeds the range of float32; scale the values down."
                    .formatted(name, value, first + done + i));
          }
        }
      }
      done += now;
    }
  }

  /** Reads all values as integers, in C order; requires an array of integers. */
  public int[] readInts() {
    long[] wide = readLongs();
    int[] result = new int[wide.length];
    for (int i = 0; i < result.length; i++) {
      if (wide[i] != (int) wide[i]) {
        throw new DataException(
            "%s: value %d is %d, which does not fit into 32 bits.".formatted(name, i, wide[i]));
      }
      result[i] = (int) wide[i];
    }
    return result;
  }

  /** Reads all values as long integers, in C order; requires an array of integers. */
  public long[] readLongs() {
    if (type.isReal() || type == ElementType.BOOL) {
      throw new DataException(
          "%s: type %s, expected integers.".formatted(name, type.name().toLowerCase(Locale.ROOT)));
    }
    return readIntegers();
  }

  /** Reads all values as booleans, in C order; requires an array of booleans. */
  public boolean[] readBooleans() {
    if (type != ElementType.BOOL) {
      throw new DataException(
          "%s: type %s, expected bool.".formatted(name, type.name().toLowerCase(Locale.ROOT)));
    }
    long[] values = readIntegers();
    boolean[] result = new boolean[values.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = values[i] != 0;
    }
    return result;
  }

  private long[] readIntegers() {
    long[] result = new long[intSize()];
    ByteBuffer buffer = BUFFERS.get().order(byteOrder);
    int width = type.width();
    for (int done = 0; done < result.length; ) {
      int now = Math.min(CHUNK / width, result.length - done);
      buffer.clear().limit(now * width);
      source.read(offset + (long) done * width, buffer);
      buffer.flip();
      for (int i = 0; i < now; i++) {
        // A double represents all integers of up to 32 bits exactly, but not all of 64 bits.
        result[done + i] = type == ElementType.I8 ? buffer.getLong() : (long) type.get(buffer);
      }
      done += now;
    }
    return result;
  }

  /** Fails unless the array has this many dimensions. */
  public NumericArray requireDimensions(int expected) {
    if (shape.length != expected) {
      throw new DataException(
          "%s: %d dimension%s (%s), expected %d."
              .formatted(
                  name, shape.length, shape.length == 1 ? "" : "s", formatShape(), expected));
    }
    return this;
  }

  private void requireReal() {
    if (!type.isReal()) {
      throw new DataException(
          "%s: type %s, expected f2, f4 or f8 (save x.astype(numpy.float32))."
              .formatted(name, type.name().toLowerCase(Locale.ROOT)));
    }
  }

  private int intSize() {
    long size = size();
    if (size > Integer.MAX_VALUE - 8) {
      throw new DataException(name + ": " + size + " values are too many to read at once.");
    }
    return (int) size;
  }
}
