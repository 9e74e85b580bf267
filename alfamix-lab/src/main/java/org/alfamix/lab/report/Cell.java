package org.alfamix.lab.report;

import java.util.Locale;

/**
 * One cell of a table.
 *
 * @param value a text, a number, or null for nothing
 * @param shown how people read it
 * @param beside what programs call a second number that people read in the same cell; empty where
 *     there is none
 * @param second that number
 */
record Cell(Object value, String shown, String beside, double second) {
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

  /** A number with so many decimals; nothing where it is none. */
  static Cell number(double value, int decimals) {
    if (!Double.isFinite(value)) {
      return EMPTY;
    }
    String shown = String.format(Locale.ROOT, "%." + decimals + "f", value);
    return new Cell(value, shown.matches("-0(\\.0*)?") ? shown.substring(1) : shown);
  }

  /** A mean and its deviation over some values, where there are several; the value is the mean. */
  static Cell spread(double mean, double deviation, int of, int decimals) {
    if (of < 2) {
      return number(mean, decimals);
    }
    String pattern = "%." + decimals + "f ± %." + decimals + "f";
    return new Cell(
        mean, String.format(Locale.ROOT, pattern, mean, deviation), " deviation", deviation);
  }

  /** A number of ours and, in brackets, what the paper has, where it has something. */
  static Cell besidePaper(double ours, double paper) {
    if (!Double.isFinite(ours) || !Double.isFinite(paper)) {
      return number(ours, 0);
    }
    return new Cell(
        ours, String.format(Locale.ROOT, "%.0f (%.0f)", ours, paper), " (paper)", paper);
  }

  /** A difference, with its sign. */
  static Cell signed(double value) {
    return Math.round(value) == 0
        ? new Cell(value, "0")
        : new Cell(value, String.format(Locale.ROOT, "%+.0f", value));
  }

  boolean isNumber() {
    return value instanceof Number;
  }

  /** Three digits that count. */
  static String rounded(double value) {
    if (value == 0 || !Double.isFinite(value)) {
      return value == 0 ? "0" : "–";
    }
    int decimals = (int) Math.max(0, Math.min(6, 2 - Math.floor(Math.log10(Math.abs(value)))));
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }
}
