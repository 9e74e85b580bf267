package org.alfamix.io.array;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alfamix.io.DataException;

/**
 * The start of an {@code .npy} file: a magic string, the version (1 to 3), the length of the header
 * and the header itself, a Python dictionary with type, order and shape.
 *
 * @param kind NumPy's type code: f, i, u, b, U (strings of 4-byte characters), S (bytes) or O
 *     (objects)
 * @param width number of bytes per item; for U, of characters
 * @param length number of bytes before the data
 */
record NpyHeader(
    char kind, int width, ByteOrder byteOrder, boolean fortran, long[] shape, long length) {
  private static final Pattern TYPE = Pattern.compile("'descr': *'([<>|=])([a-zA-Z])(\\d*)'");
  private static final Pattern ORDER = Pattern.compile("'fortran_order': *(True|False)");
  private static final Pattern SHAPE = Pattern.compile("'shape': *\\(([^)]*)\\)");

  static NpyHeader read(InputStream in, String name) throws IOException {
    byte[] start = in.readNBytes(8);
    if (start.length < 8
        || start[0] != (byte) 0x93
        || !new String(start, 1, 5, StandardCharsets.US_ASCII).equals("NUMPY")) {
      throw new DataException(name + ": not an .npy file: it does not start with \\x93NUMPY.");
    }
    int version = start[6];
    if (version < 1 || version > 3) {
      throw new DataException(
          name + ": unsupported .npy version " + version + ", expected 1, 2 or 3.");
    }
    int lengthBytes = version == 1 ? 2 : 4;
    byte[] lengthField = Arrays.copyOf(in.readNBytes(lengthBytes), 4);
    int length = ByteBuffer.wrap(lengthField).order(ByteOrder.LITTLE_ENDIAN).getInt();
    byte[] header = length < 0 ? new byte[0] : in.readNBytes(length);
    if (length < 0 || header.length < length) {
      throw new DataException(name + ": truncated header.");
    }
    return parse(
        new String(header, StandardCharsets.UTF_8).strip(), 8L + lengthBytes + length, name);
  }

  private static NpyHeader parse(String header, long length, String name) {
    Matcher type = TYPE.matcher(header);
    Matcher order = ORDER.matcher(header);
    Matcher dimensions = SHAPE.matcher(header);
    if (!order.find() || !dimensions.find()) {
      throw new DataException(name + ": invalid header " + header + ".");
    }
    long[] shape;
    try {
      shape =
          Arrays.stream(dimensions.group(1).split(","))
              .map(String::strip)
              .filter(text -> !text.isEmpty())
              .mapToLong(Long::parseLong)
              .toArray();
      // Rejects sizes that overflow: 16 bytes is the widest number.
      Math.multiplyExact(16, Arrays.stream(shape).reduce(1, Math::multiplyExact));
    } catch (NumberFormatException | ArithmeticException e) {
      throw new DataException(name + ": invalid shape (" + dimensions.group(1) + ").", e);
    }
    if (Arrays.stream(shape).anyMatch(size -> size < 0)) {
      throw new DataException(name + ": negative shape (" + dimensions.group(1) + ").");
    }
    // Dates and records are rejected only when they are read as numbers.
    boolean known = type.find();
    return new NpyHeader(
        known ? type.group(2).charAt(0) : '?',
        !known || type.group(3).isEmpty() ? 0 : Integer.parseInt(type.group(3)),
        known && type.group(1).equals(">") ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN,
        order.group(1).equals("True"),
        shape,
        length);
  }

  /** Returns the number of bytes of the data. */
  long dataLength() {
    long items = Arrays.stream(shape).reduce(1, Math::multiplyExact);
    return Math.multiplyExact(items, kind == 'U' ? 4L * width : width);
  }

  /** Returns whether the elements have a known numeric type. */
  boolean isNumeric() {
    return "fiub".indexOf(kind) >= 0;
  }

  boolean isText() {
    return kind == 'U' || kind == 'S';
  }

  /** Returns the element type; fails unless this is an array of numbers in C order. */
  ElementType requireNumbers(String name) {
    if (kind == 'O') {
      throw new DataException(
          name
              + ": an array of pickled Python objects, expected numbers. NumPy pickles arrays whose"
              + " rows differ in length.");
    }
    if (kind == '?') {
      throw new DataException(name + ": expected an array of numbers, found dates or records.");
    }
    Optional<ElementType> type =
        Arrays.stream(ElementType.values())
            .filter(known -> known.name().toLowerCase(Locale.ROOT).equals("" + kind + width))
            .findFirst();
    if (kind == 'b') {
      return ElementType.BOOL;
    }
    if (fortran && shape.length > 1) {
      throw new DataException(
          name + ": Fortran order, expected C order (save numpy.ascontiguousarray(x)).");
    }
    return type.orElseThrow(
        () ->
            new DataException(
                "%s: type %s%d, expected f2, f4, f8, i1 to i8 or u1 to u4."
                    .formatted(name, kind, width)));
  }
}
