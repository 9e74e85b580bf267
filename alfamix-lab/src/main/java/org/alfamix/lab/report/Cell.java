package org.alfamix.lab.report;

import java.util.Locale;

/**
 * One cell of a table.
 *
 * @param value a text, a number, or null for an empty cell
 * @param shown the text in tables for people
 * @param suffix the suffix of the column that holds a second number in tables for programs; empty
 *     if the cell has none
 * @param second the second number
 */
record Cell(Object value, String shown, String suffix, double second) {
  static final Cell EMPTY = new Cell(null, "–");

  Cell(Object value, String shown) {
    this(value, shown, "", Double.NaN);
  }

  static Cell text(String text) {
    return new Cell(text, text);
  }

  static Cell count(long value) {
    return new Cell(value, String.format(Locale.ROOT, "%,d", value));
  }

  /** Returns a number with this number of decimals; empty if it is not finite. */
  static Cell number(double value, int decimals) {
    if (!Double.isFinite(value)) {
      return EMPTY;
    }
    String shown = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return new Cell(value, shown.matches("-0(\\.0*)?") ? shown.substring(1) : shown);
  }

  /** Returns a mean with its deviation; only the mean if it is over fewer than two values. */
  static Cell spread(double mean, double deviation, int of, int decimals) {
    if (of < 2) {
      return number(mean, decimals);
    }
    String pattern = "%." + decimals + "f ± %." + decimals + "f";
    return new Cell(
        mean, String.format(Locale.ROOT, pattern, mean, deviation), " deviation", deviation);
  }

  /** Returns our number with the paper's in brackets, if there is one. */
  static Cell withPaperValue(double ours, double paper) {
    if (!Double.isFinite(ours) || !Double.isFinite(paper)) {
      return number(ours, 0);
    }
    return new Cell(
        ours, String.format(Locale.ROOT, "%.0f (%.0f)", ours, paper), " (paper)", paper);
  }

  /** Returns a difference with its sign. */
  static Cell signed(double value) {
    return Math.round(value) == 0
        ? new Cell(value, "0")
        : new Cell(value, String.format(Locale.ROOT, "%+.0f", value));
  }

  boolean isNumber() {
    return value instanceof Number;
  }

  /** Formats a number with three significant digits. */
  static String rounded(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value == 0 ? "0" : "–";
    }
    int decimals = (int) Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(Math.abs(value)))));
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
