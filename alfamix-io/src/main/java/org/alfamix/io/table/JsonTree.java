package org.alfamix.io.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alfamix.io.DataException;

/**
 * A small JSON file, to be asked for what must be in it: whatever is missing or of another kind is
 * told by file and place.
 */
public final class JsonTree {
  private final Path file;
  private final String place;
  private final Object value;

  private JsonTree(Path file, String place, Object value) {
    this.file = file;
    this.place = place;
    this.value = value;
  }

  /** Reads a whole file. */
  public static JsonTree read(Path file) {
    try (JsonParser json = new JsonFactory().createParser(Files.newInputStream(file))) {
      json.nextToken();
      return new JsonTree(file, "", value(json));
    } catch (JsonProcessingException e) {
      throw new DataException(file + ": " + Json.reason(e), e);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  /**
   * Reads a text, as one line of a file, to its end.
   *
   * @param file where it comes from, for messages
   * @param place which part of the file it is, as {@code line 3}
   */
  public static JsonTree parse(Path file, String place, String text) {
    try (JsonParser json = new JsonFactory().createParser(text)) {
      json.nextToken();
      JsonTree tree = new JsonTree(Path.of(file + ", " + place), "", value(json));
      if (json.nextToken() != null) {
        throw new DataException("%s, %s: something follows its end.".formatted(file, place));
      }
      return tree;
    } catch (JsonProcessingException e) {
      throw new DataException("%s, %s: %s".formatted(file, place, Json.reason(e)), e);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
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

  /** Whether there is a field with a value. */
  public boolean has(String field) {
    return value instanceof Map<?, ?> object && object.get(field) != null;
  }

  /** A field that must be there. */
  public JsonTree get(String field) {
    Object found = value instanceof Map<?, ?> object ? object.get(field) : null;
    String where = place.isEmpty() ? field : place + "." + field;
    if (found == null) {
      throw new DataException("%s: '%s' is missing.".formatted(file, where));
    }
    return new JsonTree(file, where, found);
  }

  public String text() {
    return as(String.class, "a text");
  }

  public boolean flag() {
    return as(Boolean.class, "true or false");
  }

  public double number() {
    return as(Double.class, "a number");
  }

  /** A number that lies between two others. */
  public double require(double least, double most) {
    double number = number();
    if (!(number >= least && number <= most)) {
      throw unexpected(
          least == most
              ? Math.round(least) + ""
              : "a number of at least "
                  + least
                  + (most == Double.MAX_VALUE ? "" : ", at most " + most));
    }
    return number;
  }

  public int integer() {
    double number = number();
    if (number != (int) number) {
      throw unexpected("a whole number");
    }
    return (int) number;
  }

  /** A whole number of up to 64 bits, which is kept as a text. */
  public long longInteger() {
    try {
      return Long.parseLong(text());
    } catch (NumberFormatException e) {
      throw unexpected("a whole number in quotes");
    }
  }

  /** A number that is kept as a text, because it may be NaN. */
  public double numberInText() {
    try {
      return Double.parseDouble(text());
    } catch (NumberFormatException e) {
      throw unexpected("a number in quotes");
    }
  }

  /** The elements of a list. */
  public List<JsonTree> list() {
    List<JsonTree> result = new ArrayList<>();
    for (Object element : as(List.class, "a list")) {
      result.add(new JsonTree(file, place + "[" + result.size() + "]", element));
    }
    return result;
  }

  /** The fields of an object whose values are texts. */
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
    return new DataException("%s: '%s': expected %s.".formatted(file, place, expected));
  }
}
