package org.alfamix.io.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alfamix.io.DataException;

/**
 * A small JSON document. Missing values and values of another type are reported with their file and
 * path.
 */
public final class JsonTree {
  private final String source;
  private final String place;
  private final Object value;

  private JsonTree(String source, String place, Object value) {
    this.source = source;
    this.place = place;
    this.value = value;
  }

  /** Reads a whole file. */
  public static JsonTree read(Path file) {
    try (JsonParser json = new JsonFactory().createParser(Files.newInputStream(file))) {
      json.nextToken();
      return new JsonTree(file.toString(), "", value(json));
    } catch (JsonProcessingException e) {
      throw new DataException("%s: invalid JSON: %s.".formatted(file, Json.reason(e)), e);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /**
   * Parses one part of a file completely.
   *
   * @param place the part, such as {@code line 3}, for messages
   */
  public static JsonTree parse(Path file, String place, String text) {
    return parse(file + ", " + place, text);
  }

  /**
   * Parses a text completely.
   *
   * @param source the source of the text, such as {@code request body}, for messages
   */
  public static JsonTree parse(String source, String text) {
    try (JsonParser json = new JsonFactory().createParser(text)) {
      json.nextToken();
      JsonTree tree = new JsonTree(source, "", value(json));
      if (json.nextToken() != null) {
        throw new DataException("%s: unexpected content after the JSON value.".formatted(source));
      }
      return tree;
    } catch (JsonProcessingException e) {
      throw new DataException("%s: invalid JSON: %s.".formatted(source, Json.reason(e)), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object value(JsonParser json) throws IOException {
    JsonToken token = json.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, Object> object = new LinkedHashMap<>();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        object.put(name, value(json));
      }
      return object;
    }
    if (token == JsonToken.START_ARRAY) {
      List<Object> list = new ArrayList<>();
      while (json.nextToken() != JsonToken.END_ARRAY) {
        list.add(value(json));
      }
      return list;
    }
    if (token == null) {
      return null;
    }
    return switch (token) {
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_STRING -> json.getText();
      default -> null;
    };
  }

  /** Returns whether a field exists and is not null. */
  public boolean has(String field) {
    return value instanceof Map<?, ?> object && object.get(field) != null;
  }

  /** Returns a required field. */
  public JsonTree get(String field) {
    Object found = value instanceof Map<?, ?> object ? object.get(field) : null;
    String where = place.isEmpty() ? field : place + "." + field;
    if (found == null) {
      throw new DataException("%s: '%s' is missing.".formatted(source, where));
    }
    return new JsonTree(source, where, found);
  }

  public String text() {
    return as(String.class, "a string");
  }

  public boolean flag() {
    return as(Boolean.class, "true or false");
  }

  public double number() {
    return as(Double.class, "a number");
  }

  /** Returns a number; fails unless it is within the limits, inclusive. */
  public double require(double min, double max) {
    double number = number();
    if (!(number >= min && number <= max)) {
      throw unexpected(
          min == max
              ? Math.round(min) + ""
              : max == Double.MAX_VALUE
                  ? "a number of at least " + min
                  : "a number from %s to %s".formatted(min, max));
    }
    return number;
  }

  public int integer() {
    double number = number();
    if (number != (int) number) {
      throw unexpected("an integer");
    }
    return (int) number;
  }

  /** Returns a 64-bit integer that is stored as a string. */
  public long longInteger() {
    try {
      return Long.parseLong(text());
    } catch (NumberFormatException e) {
      throw unexpected("an integer in quotes");
    }
  }

  /** Returns a number that is stored as a string because it may be NaN. */
  public double numberInText() {
    try {
      return Double.parseDouble(text());
    } catch (NumberFormatException e) {
      throw unexpected("a number in quotes");
    }
  }

  /** Returns the elements of a list. */
  public List<JsonTree> list() {
    List<JsonTree> result = new ArrayList<>();
    for (Object element : as(List.class, "a list")) {
      result.add(new JsonTree(source, place + "[" + result.size() + "]", element));
    }
    return result;
  }

  /** Returns the fields of an object whose values are strings. */
  public Map<String, String> texts() {
    Map<String, String> result = new LinkedHashMap<>();
    for (Object field : as(Map.class, "an object").keySet()) {
      result.put((String) field, get((String) field).text());
    }
    return result;
  }

  public int[] integers() {
    return list().stream().mapToInt(JsonTree::integer).toArray();
  }

  private <T> T as(Class<T> type, String expected) {
    if (!type.isInstance(value)) {
      throw unexpected(expected);
    }
    return type.cast(value);
  }

  private DataException unexpected(String expected) {
    return new DataException("%s: '%s': expected %s.".formatted(source, place, expected));
  }
}
