package org.alfamix.io;

import java.util.Comparator;

/**
 * Orders strings by their Unicode code points, like Python, UTF-8 bytes and Spark. {@link
 * String#compareTo} compares UTF-16 code units, which puts emoji before full-width letters.
 */
public final class CodePoints {
  /** Orders by the first different code point; a prefix comes before longer strings. */
  public static final Comparator<String> ORDER = CodePoints::compare;

  private CodePoints() {}

  private static int compare(String a, String b) {
    int length = Math.min(a.length(), b.length());
    for (int i = 0; i < length; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        // Surrogates encode code points above all that fit into a single unit.
        boolean surrogate = Character.isSurrogate(x);
        return surrogate == Character.isSurrogate(y) ? x - y : surrogate ? 1 : -1;
      }
    }
    return a.length() - b.length();
  }
}
