package org.alfamix.data.table;

import org.alfamix.data.DataException;

/** Turns text into numbers, with messages that name the place. */
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
    String inner = text.substring(1, text.length() - 1).strip();
    if (inner.isEmpty()) {
      return new float[0];
    }
    String[] parts = inner.split("\\s*[,\\s]\\s*");
    float[] result = new float[parts.length];
    for (int i = 0; i < parts.length; i++) {
      result[i] = parse(parts[i], source.name(), source.place(), name);
    }
    return result;
  }

  private static float parse(String text, String file, String place, String column) {
    try {
      if (text != null) {
        float value = Float.parseFloat(text);
        if (Float.isFinite(value)) {
          return value;
        }
      }
    } catch (NumberFormatException e) {
      // Said below, with the place.
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
