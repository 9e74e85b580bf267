package org.alfamix.io.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes records as JSON objects: each component is a field of the same name.
 *
 * <p>Null and numbers that JSON cannot represent become {@code null}; an empty {@link Optional} is
 * omitted. Only Jackson's core is used, whose few classes keep the startup time of commands short.
 */
public final class JsonRecords {
  private JsonRecords() {}

  /** Writes a record, indented and followed by a line feed. Does not close the stream. */
  public static void write(Record value, OutputStream out) throws IOException {
    DefaultPrettyPrinter pretty = new DefaultPrettyPrinter();
    pretty.indentArraysWith(DefaultIndenter.SYSTEM_LINEFEED_INSTANCE);
    try (JsonGenerator json =
        new JsonFactory()
            .createGenerator(out)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .setPrettyPrinter(pretty)) {
      writeRecord(json, value);
      json.writeRaw('\n');
    }
  }

  private static void writeRecord(JsonGenerator json, Record value) throws IOException {
    json.writeStartObject();
    for (RecordComponent component : value.getClass().getRecordComponents()) {
      writeField(json, component.getName(), read(component, value));
    }
    json.writeEndObject();
  }

  private static Object read(RecordComponent component, Record value) {
    try {
      Method accessor = component.getAccessor();
      accessor.setAccessible(true);
      return accessor.invoke(value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(component + " cannot be read.", e);
    }
  }

  private static void writeField(JsonGenerator json, String name, Object value) throws IOException {
    if (value instanceof Optional<?> optional) {
      if (optional.isPresent()) {
        writeField(json, name, optional.get());
      }
      return;
    }
    json.writeFieldName(name);
    writeValue(json, value);
  }

  private static void writeValue(JsonGenerator json, Object value) throws IOException {
    if (value == null || value instanceof Double number && !Double.isFinite(number)) {
      json.writeNull();
    } else if (value instanceof Record nested) {
      writeRecord(json, nested);
    } else if (value instanceof Map<?, ?> map) {
      json.writeStartObject();
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        writeField(json, entry.getKey().toString(), entry.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        writeValue(json, element);
      }
      json.writeEndArray();
    } else if (value instanceof int[] numbers) {
      json.writeRawValue(Arrays.toString(numbers)); // on one line
    } else if (value instanceof Integer number) {
      json.writeNumber(number);
    } else if (value instanceof Long number) {
      json.writeNumber(number);
    } else if (value instanceof Double number) {
      json.writeNumber(number);
    } else if (value instanceof Boolean truth) {
      json.writeBoolean(truth);
    } else {
      json.writeString(value.toString());
    }
  }
}
