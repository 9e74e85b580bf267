package org.alfamix.io.array;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.alfamix.error.InvalidDataException;
import org.alfamix.io.DataException;

/**
 * The safetensors format: eight bytes with the length of the header (little-endian), the header, a
 * JSON object with type, shape and offsets of every tensor, and the tensors.
 */
public final class Safetensors implements ArrayBundle {
  /** The limit that the format specifies. */
  private static final long MAX_HEADER_BYTES = 100_000_000;

  private record Tensor(String type, long[] shape, long begin, long end) {}

  private final Path file;
  private final long dataOffset;
  private final Map<String, Tensor> tensors;

  private Safetensors(Path file, long dataOffset, Map<String, Tensor> tensors) {
    this.file = file;
    this.dataOffset = dataOffset;
    this.tensors = tensors;
  }

  /**
   * Reads the header and checks that every tensor lies within the file.
   *
   * @throws DataException if the file is invalid or truncated
   */
  public static Safetensors open(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] start = in.readNBytes(8);
      long length =
          start.length < 8 ? -1 : ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getLong();
      if (length < 2 || length > MAX_HEADER_BYTES) {
        throw new DataException(file + ": not a safetensors file: invalid header length.");
      }
      byte[] header = in.readNBytes((int) length);
      if (header.length < length) {
        throw new DataException(file + ": truncated header.");
      }
      Map<String, Tensor> tensors = parse(file, header);
      long available = Files.size(file) - 8 - length;
      tensors.forEach((name, tensor) -> check(file, name, tensor, available));
      return new Safetensors(file, 8 + length, tensors);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /**
   * Writes tensors of 32-bit floats, in the order of their names in the map.
   *
   * @param shapes the shape of each tensor
   * @param values returns the values of a tensor by its name, in C order
   */
  public static void write(
      OutputStream out, Map<String, long[]> shapes, Function<String, float[]> values)
      throws IOException {
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    long offset = 0;
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      for (Map.Entry<String, long[]> entry : shapes.entrySet()) {
        long bytes = 4 * Arrays.stream(entry.getValue()).reduce(1, Math::multiplyExact);
        json.writeObjectFieldStart(entry.getKey());
        json.writeStringField("dtype", "F32");
        json.writeFieldName("shape");
        json.writeArray(entry.getValue(), 0, entry.getValue().length);
        json.writeFieldName("data_offsets");
        json.writeArray(new long[] {offset, offset + bytes}, 0, 2);
        json.writeEndObject();
        offset += bytes;
      }
      json.writeEndObject();
    }
    // Pads to a multiple of 8, so that the data are aligned.
    while (text.size() % 8 != 0) {
      text.write(' ');
    }
    ByteBuffer length = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
    out.write(length.putLong(text.size()).array());
    text.writeTo(out);
    for (String name : shapes.keySet()) {
      float[] numbers = values.apply(name);
      ByteBuffer bytes = ByteBuffer.allocate(4 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
      bytes.asFloatBuffer().put(numbers);
      out.write(bytes.array());
    }
  }

  private static Map<String, Tensor> parse(Path file, byte[] header) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    try (JsonParser json = new JsonFactory().createParser(header)) {
      expect(json.nextToken(), JsonToken.START_OBJECT);
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        expect(json.nextToken(), JsonToken.START_OBJECT);
        if (name.equals("__metadata__")) {
          json.skipChildren();
        } else {
          tensors.put(name, parseTensor(json));
        }
      }
      return tensors;
    } catch (IOException | InvalidDataException e) {
      throw new DataException(
          file + ": not a safetensors file: invalid header (" + firstLine(e) + ").", e);
    }
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private static Tensor parseTensor(JsonParser json) throws IOException {
    String type = "";
    long[] shape = null;
    long[] offsets = null;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String key = json.currentName();
      json.nextToken();
      switch (key) {
        case "dtype" -> type = json.getText();
        case "shape" -> shape = numbers(json);
        case "data_offsets" -> offsets = numbers(json);
        default -> json.skipChildren();
      }
    }
    if (shape == null || offsets == null || offsets.length != 2) {
      throw new InvalidDataException("a tensor without shape or data_offsets");
    }
    return new Tensor(type, shape, offsets[0], offsets[1]);
  }

  private static long[] numbers(JsonParser json) throws IOException {
    expect(json.currentToken(), JsonToken.START_ARRAY);
    long[] result = new long[0];
    while (json.nextToken() != JsonToken.END_ARRAY) {
      result = Arrays.copyOf(result, result.length + 1);
      result[result.length - 1] = json.getLongValue();
    }
    return result;
  }

  private static void expect(JsonToken found, JsonToken expected) {
    if (found != expected) {
      throw new InvalidDataException("expected " + expected + ", found " + found);
    }
  }

  private static void check(Path file, String name, Tensor tensor, long available) {
    if (tensor.begin < 0 || tensor.end < tensor.begin) {
      throw new DataException(
          "%s: %s: invalid data_offsets %d and %d."
              .formatted(file, name, tensor.begin, tensor.end));
    }
    if (tensor.end > available) {
      throw new DataException(
          "%s: %s: truncated: %d bytes of tensors, expected at least %d."
              .formatted(file, name, available, tensor.end));
    }
    Optional<ElementType> type = elementType(tensor.type);
    long numbers;
    try {
      numbers = Arrays.stream(tensor.shape).reduce(1, Math::multiplyExact);
      Math.multiplyExact(numbers, 8L);
    } catch (ArithmeticException e) {
      throw new DataException(
          "%s: %s: invalid shape %s.".formatted(file, name, Arrays.toString(tensor.shape)), e);
    }
    if (type.isPresent() && numbers * type.get().width() != tensor.end - tensor.begin) {
      throw new DataException(
          "%s: %s: %d bytes, expected %d for its shape."
              .formatted(file, name, tensor.end - tensor.begin, numbers * type.get().width()));
    }
  }

  private static Optional<ElementType> elementType(String name) {
    return Optional.ofNullable(
        switch (name) {
          case "F16" -> ElementType.F2;
          case "BF16" -> ElementType.BF16;
          case "F32" -> ElementType.F4;
          case "F64" -> ElementType.F8;
          case "I8" -> ElementType.I1;
          case "I16" -> ElementType.I2;
          case "I32" -> ElementType.I4;
          case "I64" -> ElementType.I8;
          case "U8" -> ElementType.U1;
          case "BOOL" -> ElementType.BOOL;
          default -> null;
        });
  }

  @Override
  public String name() {
    return file.toString();
  }

  @Override
  public List<String> names() {
    return List.copyOf(tensors.keySet());
  }

  @Override
  public Optional<long[]> shape(String name) {
    return Optional.ofNullable(tensors.get(name))
        .filter(tensor -> elementType(tensor.type).isPresent())
        .map(tensor -> tensor.shape.clone());
  }

  @Override
  public NumericArray array(String name) {
    Tensor tensor = tensors.get(name);
    if (tensor == null) {
      throw noSuchArray(name);
    }
    String full = file + ": " + name;
    ElementType type =
        elementType(tensor.type)
            .orElseThrow(
                () -> new DataException(full + ": type " + tensor.type + " is not supported."));
    return new NumericArray(
        full,
        ByteSource.of(file),
        dataOffset + tensor.begin,
        type,
        ByteOrder.LITTLE_ENDIAN,
        tensor.shape);
  }
}
