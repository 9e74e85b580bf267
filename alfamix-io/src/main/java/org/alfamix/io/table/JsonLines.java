package org.alfamix.io.table;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alfamix.io.DataException;

/**
 * A table with one JSON object per line; its columns are the keys of all lines, in the order of
 * their first occurrence. The keys are collected in a separate pass, so that memory does not grow
 * with the file. A pipe can be read only once, so its first line must have all keys.
 */
public final class JsonLines implements TableSource {
  /** Maximum number of columns. */
  private static final int MAX_COLUMNS = 100_000;

  /** A value that is an object. */
  private static final Object OBJECT = new Object();

  private final String name;
  private final BufferedReader reader;
  private final JsonFactory json =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
  private final List<String> columns;

  /** The keys of the first line of a pipe; null for a file. */
  private final Set<String> known;

  /** The first row of a pipe, read ahead for its keys. */
  private Map<String, Object> first;

  private Map<String, Object> row;
  private long line;

  private JsonLines(Path file) throws IOException {
    this.name = file.toString();
    Set<String> keys = Files.isRegularFile(file) ? keys(file) : null;
    this.reader = Files.newBufferedReader(file);
    this.first = keys == null ? readRow() : null;
    this.known = keys != null ? null : first == null ? Set.of() : Set.copyOf(first.keySet());
    this.columns = new ArrayList<>(keys != null ? keys : first == null ? Set.of() : first.keySet());
  }

  /** Collects the keys of all lines of a file. */
  private Set<String> keys(Path file) throws IOException {
    Set<String> keys = new LinkedHashSet<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      for (String text = nextLine(lines); text != null; text = nextLine(lines)) {
        parse(
            text,
            (key, parser) -> {
              if (keys.add(key) && keys.size() > MAX_COLUMNS) {
                throw new DataException(
                    "%s, %s: more than %,d distinct keys, expected the columns of one table."
                        .formatted(name, place(), MAX_COLUMNS));
              }
              parser.skipChildren();
            });
      }
    }
    line = 0;
    return keys;
  }

  /** Returns the next line that is not blank, without a byte-order mark; null at the end. */
  private String nextLine(BufferedReader lines) throws IOException {
    String text;
    do {
      text = lines.readLine();
      line++;
      if (line == 1 && text != null && text.startsWith("\uFEFF")) {
        text = text.substring(1);
      }
    } while (text != null && text.isBlank());
    return text;
  }

  /** Opens a {@code .jsonl} or {@code .ndjson} file. */
  public static JsonLines open(Path file) {
    try {
      return new JsonLines(file);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<String> columns() {
    return columns;
  }

  @Override
  public boolean next() {
    if (first != null) {
      row = first;
      first = null;
      return true;
    }
    try {
      row = readRow();
    } catch (IOException e) {
      throw DataException.unreadable(Path.of(name), e);
    }
    return row != null;
  }

  private Map<String, Object> readRow() throws IOException {
    String text = nextLine(reader);
    if (text == null) {
      return null;
    }
    Map<String, Object> values = new LinkedHashMap<>();
    parse(text, (key, parser) -> values.put(key, value(parser)));
    if (known != null && first == null && row != null && !known.containsAll(values.keySet())) {
      throw new DataException(
          ("%s, %s: the key '%s' is not in the first line; the first line of a pipe must have all"
                  + " keys.")
              .formatted(
                  name,
                  place(),
                  values.keySet().stream().filter(key -> !known.contains(key)).findFirst().get()));
    }
    return values;
  }

  /** Receives a key and a parser at its value. */
  @FunctionalInterface
  private interface Field {
    void accept(String key, JsonParser parser) throws IOException;
  }

  private void parse(String text, Field field) throws IOException {
    try (JsonParser parser = json.createParser(text)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new DataException(name + ", " + place() + ": expected a JSON object.");
      }
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String key = parser.currentName();
        parser.nextToken();
        field.accept(key, parser);
      }
      if (parser.nextToken() != null) {
        throw new DataException(
            name + ", " + place() + ": expected one JSON object, found more content after it.");
      }
    } catch (JsonProcessingException e) {
      throw new DataException(
          "%s, %s: invalid JSON: %s.".formatted(name, place(), Json.reason(e)), e);
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    switch (parser.currentToken()) {
      case START_ARRAY:
        return list(parser);
      case START_OBJECT:
        parser.skipChildren();
        return OBJECT;
      case VALUE_NULL:
        return null;
      default:
        return parser.getText();
    }
  }

  /**
   * Reads a list of numbers. An element that is not a number is reported only when the column is
   * read as a vector, because other columns may hold tags or boxes.
   */
  private static Object list(JsonParser parser) throws IOException {
    float[] values = new float[64];
    int count = 0;
    NotANumber wrong = null;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (!parser.currentToken().isNumeric()) {
        wrong = wrong == null ? new NotANumber(count, parser.getText()) : wrong;
        parser.skipChildren();
        continue;
      }
      if (count == values.length) {
        values = Arrays.copyOf(values, 2 * count);
      }
      int from = parser.getTextOffset();
      values[count++] =
          DecimalFloat.parse(parser.getTextCharacters(), from, from + parser.getTextLength());
    }
    return wrong != null ? wrong : Arrays.copyOf(values, count);
  }

  private record NotANumber(int at, String text) {}

  @Override
  public String place() {
    return "line " + line;
  }

  @Override
  public String text(int column) {
    Object value = row.get(columns.get(column));
    if (value == null || value instanceof String) {
      return (String) value;
    }
    throw new DataException(
        "%s, %s: column %s is a list or an object, expected a string or a number."
            .formatted(name, place(), columns.get(column)));
  }

  @Override
  public float number(int column) {
    return Numbers.parse(this, column, text(column));
  }

  @Override
  public float[] vector(int column) {
    Object value = row.get(columns.get(column));
    if (value instanceof float[] vector) {
      return vector;
    }
    if (value instanceof NotANumber wrong) {
      throw new DataException(
          "%s, %s: value %d of %s is '%s', expected a finite number."
              .formatted(name, place(), wrong.at(), columns.get(column), wrong.text()));
    }
    throw new DataException(
        "%s, %s: column %s is %s, expected a list of numbers."
            .formatted(name, place(), columns.get(column), found(value)));
  }

  private static String found(Object value) {
    if (value == null) {
      return "missing";
    }
    return value == OBJECT ? "an object" : "'" + value + "'";
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      // All data were read; a failure to close does not affect them.
    }
  }
}
