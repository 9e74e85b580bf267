package org.alfamix.io.table;

import java.util.Arrays;
import org.alfamix.io.DataException;

/** Parses numbers and reports invalid ones with their position. */
final class Numbers {
  private Numbers() {}

  static float parse(TableSource source, int column, String text) {
    return parse(text, source.name(), source.place(), source.columns().get(column));
  }

  static float[] parseList(TableSource source, int column, String text) {
    String name = source.columns().get(column);
    if (text == null || !text.startsWith("[") || !text.endsWith("]")) {
      throw new DataException(
          "%s, %s: column %s is '%s', expected a list of numbers in brackets."
              .formatted(source.name(), source.place(), name, shortened(text)));
    }
    char[] characters = text.toCharArray();
    float[] result = new float[16];
    int count = 0;
    int end = characters.length - 1;
    for (int at = skip(characters, 1, end, false); at < end; ) {
      int stop = at;
      while (stop < end && !isSeparator(characters[stop])) {
        stop++;
      }
      if (count == result.length) {
        result = Arrays.copyOf(result, 2 * count);
      }
      result[count++] = parse(source, name, characters, at, stop);
      at = skip(characters, stop, end, true);
    }
    return Arrays.copyOf(result, count);
  }

  private static boolean isSeparator(char c) {
    return c == ',' || Character.isWhitespace(c);
  }

  /** Skips blanks, and one comma if allowed. */
  private static int skip(char[] text, int from, int end, boolean comma) {
    int at = from;
    boolean seen = !comma;
    while (at < end && (Character.isWhitespace(text[at]) || (text[at] == ',' && !seen))) {
      seen |= text[at] == ',';
      at++;
    }
    return at;
  }

  private static float parse(TableSource source, String column, char[] text, int from, int to) {
    try {
      float value = DecimalFloat.parse(text, from, to);
      if (Float.isFinite(value)) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the position.
    }
    return parse(new String(text, from, to - from), source.name(), source.place(), column);
  }

  private static float parse(String text, String file, String place, String column) {
    try {
      if (text != null) {
        float value = DecimalFloat.parse(text.toCharArray(), 0, text.length());
        if (Float.isFinite(value)) {
          return value;
        }
      }
    } catch (NumberFormatException e) {
      // Reported below, with the position.
    }
    throw new DataException(
        "%s, %s: column %s is %s, expected a finite number."
            .formatted(
                file, place, column, text == null ? "missing" : "'" + shortened(text) + "'"));
  }

  private static String shortened(String text) {
    return text == null || text.length() <= 40 ? text : text.substring(0, 40) + "…";
  }
}
