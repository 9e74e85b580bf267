package org.alfamix.studio.web;

/** Markup in the making: texts are escaped, tags are not. */
final class Html {
  private final StringBuilder text = new StringBuilder();

  /** Markup as it is; with values in place of {@code %s}, which are escaped. */
  Html add(String markup, Object... values) {
    Object[] escaped = new Object[values.length];
    for (int v = 0; v < values.length; v++) {
      escaped[v] =
          values[v] instanceof Html html ? html.toString() : escape(String.valueOf(values[v]));
    }
    text.append(markup.formatted(escaped)).append('\n');
    return this;
  }

  /** Markup as it is, with values in place of {@code %s}. */
  static Html of(String markup, Object... values) {
    return new Html().add(markup, values);
  }

  static String escape(String words) {
    StringBuilder escaped = new StringBuilder(words.length() + 16);
    for (int i = 0; i < words.length(); i++) {
      char letter = words.charAt(i);
      switch (letter) {
        case '&' -> escaped.append("&amp;");
        case '<' -> escaped.append("&lt;");
        case '>' -> escaped.append("&gt;");
        case '"' -> escaped.append("&quot;");
        case '\'' -> escaped.append("&#39;");
        default -> escaped.append(letter);
      }
    }
    return escaped.toString();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
