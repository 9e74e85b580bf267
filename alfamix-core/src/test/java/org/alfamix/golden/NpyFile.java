package org.alfamix.golden;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alfamix.math.FloatMatrix;

/** A golden array, written by NumPy in format version 1, little-endian, in C order. */
public record NpyFile(int[] shape, double[] values) {
  private static final Pattern DESCRIPTION = Pattern.compile("'descr': '[<|]([a-z])(\\d)'");
  private static final Pattern SHAPE = Pattern.compile("'shape': \\(([^)]*)\\)");

  public static NpyFile read(String resource) {
    try (InputStream in = NpyFile.class.getResourceAsStream("/golden/" + resource + ".npy")) {
      if (in == null) {
        throw new IllegalArgumentException("Missing resource /golden/" + resource + ".npy.");
      }
      return parse(ByteBuffer.wrap(in.readAllBytes()).order(ByteOrder.LITTLE_ENDIAN));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static NpyFile parse(ByteBuffer bytes) {
    int headerLength = bytes.getShort(8);
    byte[] headerBytes = new byte[headerLength];
    bytes.position(10);
    bytes.get(headerBytes);
    String header = new String(headerBytes, StandardCharsets.US_ASCII);
    Matcher description = DESCRIPTION.matcher(header);
    Matcher dimensions = SHAPE.matcher(header);
    if (!description.find() || !dimensions.find()) {
      throw new IllegalArgumentException("Unsupported header of a golden array: " + header);
    }
    int[] shape =
        Arrays.stream(dimensions.group(1).split(","))
            .map(String::trim)
            .filter(text -> !text.isEmpty())
            .mapToInt(Integer::parseInt)
            .toArray();
    double[] values = new double[Arrays.stream(shape).reduce(1, (x, y) -> x * y)];
    String type = description.group(1) + description.group(2);
    for (int i = 0; i < values.length; i++) {
      values[i] =
          switch (type) {
            case "f4" -> bytes.getFloat();
            case "f8" -> bytes.getDouble();
            case "i4" -> bytes.getInt();
            case "i8" -> bytes.getLong();
            case "b1" -> bytes.get();
            default ->
                throw new IllegalArgumentException("Unsupported type of a golden array: " + type);
          };
    }
    return new NpyFile(shape, values);
  }

  public FloatMatrix matrix() {
    return FloatMatrix.wrap(floats(), shape[0], shape[1]);
  }

  public float[] floats() {
    float[] result = new float[values.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = (float) values[i];
    }
    return result;
  }

  public int[] ints() {
    return Arrays.stream(values).mapToInt(value -> (int) value).toArray();
  }
}
