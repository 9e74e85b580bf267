package org.alfamix.io;

import java.util.Comparator;

/**
 * Orders texts by their Unicode code points, as Python, UTF-8 bytes and Spark do. Java's own order
 * compares UTF-16 units, which puts emoji before full-width letters.
 */
public final class CodePoints {
  /** By the first code point that differs; a text comes before those that begin with it. */
  public static final Comparator<String> ORDER = CodePoints::compare;

  private CodePoints() {}

  private static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // A surrogate stands for a code point beyond all that a single unit can hold.
        boolean beyond = Character.isSurrogate(x);
        return beyond == Character.isSurrogate(y) ? x - y : beyond ? 1 : -1;
      }
    }
    return a.length() - b.length();
  }
}
