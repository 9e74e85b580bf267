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

  static String escape(String words) {
    return words
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;")
        .replace("'", "&#39;");
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
