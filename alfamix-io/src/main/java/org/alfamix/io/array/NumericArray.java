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
 * An array of numbers in C order: where its bytes are, their type and its shape.
 *
 * <p>Nothing is read before it is asked for, and {@link #rows} reads only the rows asked for.
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

  /** What it is called in messages: its file, and its name within it where there are several. */
  public String name() {
    return name;
  }

  public ElementType type() {
    return type;
  }

  /** A copy of the lengths of its dimensions. */
  public long[] shape() {
    return shape.clone();
  }

  public int dimensions() {
    return shape.length;
  }

  /** As {@code 10 x 256}. */
  public String shapeInWords() {
    return shape.length == 0
        ? "a single number"
        : Arrays.stream(shape).mapToObj(Long::toString).collect(Collectors.joining(" x "));
  }

  /** How many numbers it holds. */
  public long size() {
    return Arrays.stream(shape).reduce(1, Math::multiplyExact);
  }

  /** Its rows, read when they are asked for; it must have two dimensions and hold reals. */
  public Rows rows() {
    requireDimensions(2);
    requireReal();
    if (shape[0] > Integer.MAX_VALUE || shape[1] > Integer.MAX_VALUE) {
      throw new DataException(name + ": " + shapeInWords() + " is more than can be numbered.");
    }
    return new FileRows(this, name, 0, (int) shape[0], (int) shape[1]);
  }

  /** The matrices of its first dimension, each as {@link #rows}; it must have three dimensions. */
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

  /** All of it as a matrix of floats; it must have two dimensions and hold reals. */
  public FloatMatrix readMatrix() {
    return rows().toMatrix();
  }

  /** All values as floats, in C order; it must hold reals. */
  public float[] readFloats() {
    requireReal();
    float[] result = new float[intSize()];
    readFloats(0, result, 0, result.length);
    return result;
  }

  /** Some values as floats, by their place in C order. */
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
                "%s: %s at place %d exceeds the range of float32; scale the values down."
                    .formatted(name, value, first + done + i));
          }
        }
      }
      done += now;
    }
  }

  /** All values as integers, in C order; it must hold integers. */
  public int[] readInts() {
    long[] wide = readLongs();
    int[] result = new int[wide.length];
    for (int i = 0; i < result.length; i++) {
      if (wide[i] != (int) wide[i]) {
        throw new DataException(
            "%s: value %d is %d, more than 32 bits hold.".formatted(name, i, wide[i]));
      }
      result[i] = (int) wide[i];
    }
    return result;
  }

  /** All values as long integers, in C order; it must hold integers. */
  public long[] readLongs() {
    if (type.isReal() || type == ElementType.BOOL) {
      throw new DataException(
          "%s: type %s, expected integers.".formatted(name, type.name().toLowerCase(Locale.ROOT)));
    }
    return readWhole();
  }

  /** All values as truth values, in C order; it must hold such. */
  public boolean[] readBooleans() {
    if (type != ElementType.BOOL) {
      throw new DataException(
          "%s: type %s, expected bool.".formatted(name, type.name().toLowerCase(Locale.ROOT)));
    }
    long[] values = readWhole();
    boolean[] result = new boolean[values.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = values[i] != 0;
    }
    return result;
  }

  private long[] readWhole() {
    long[] result = new long[intSize()];
    ByteBuffer buffer = BUFFERS.get().order(byteOrder);
    int width = type.width();
    for (int done = 0; done < result.length; ) {
      int now = Math.min(CHUNK / width, result.length - done);
      buffer.clear().limit(now * width);
      source.read(offset + (long) done * width, buffer);
      buffer.flip();
      for (int i = 0; i < now; i++) {
        // A double holds every integer but those of 64 bits.
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
                  name, shape.length, shape.length == 1 ? "" : "s", shapeInWords(), expected));
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
