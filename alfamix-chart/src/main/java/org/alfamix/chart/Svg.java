package org.alfamix.chart;

import java.util.Locale;

/**
 * Builds an SVG drawing. Colours are CSS classes, which the page defines for light and dark mode.
 *
 * <p>Texts and titles are escaped; classes, attributes and path data are written unchanged.
 */
public final class Svg {
  private final StringBuilder text = new StringBuilder();

  /**
   * @param label a description for screen readers
   */
  public Svg(double width, double height, String label) {
    this("", width, height, label);
  }

  /**
   * @param attributes additional attributes, such as {@code class="map"}
   */
  public Svg(String attributes, double width, double height, String label) {
    text.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\"%s viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">\n"
            .formatted(
                attributes.isEmpty() ? "" : " " + attributes,
                number(width),
                number(height),
                escape(label)));
  }

  public Svg line(String style, double x1, double y1, double x2, double y2) {
    text.append(
        "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n"
            .formatted(style, number(x1), number(y1), number(x2), number(y2)));
    return this;
  }

  public Svg path(String style, String data, String title) {
    text.append("<path class=\"%s\" d=\"%s\">%s</path>\n".formatted(style, data, titled(title)));
    return this;
  }

  public Svg rect(String style, double x, double y, double width, double height, String title) {
    return rect(style, "", x, y, width, height, title);
  }

  /**
   * @param attributes additional attributes, such as {@code fill-opacity="0.5"}
   */
  public Svg rect(
      String style,
      String attributes,
      double x,
      double y,
      double width,
      double height,
      String title) {
    text.append(
        "<rect class=\"%s\" %s x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\">%s</rect>\n"
            .formatted(
                style,
                attributes,
                number(x),
                number(y),
                number(Math.max(0, width)),
                number(Math.max(0, height)),
                titled(title)));
    return this;
  }

  /**
   * @param attributes additional attributes, such as {@code data-item="7"}
   */
  public Svg circle(String style, String attributes, double x, double y, double r, String title) {
    text.append(
        "<circle class=\"%s\" %s cx=\"%s\" cy=\"%s\" r=\"%s\">%s</circle>\n"
            .formatted(style, attributes, number(x), number(y), number(r), titled(title)));
    return this;
  }

  /** Draws a mark whose shape distinguishes series if colours do not. */
  public Svg mark(String style, int shape, double x, double y, double size, String title) {
    String data =
        switch (shape % 4) {
          case 0 ->
              "M%s %sa%s %s 0 1 0 %s 0a%s %s 0 1 0 -%s 0z"
                  .formatted(
                      number(x - size),
                      number(y),
                      number(size),
                      number(size),
                      number(2 * size),
                      number(size),
                      number(size),
                      number(2 * size));
          case 1 ->
              "M%s %sh%sv%sh-%sz"
                  .formatted(
                      number(x - 0.85 * size),
                      number(y - 0.85 * size),
                      number(1.7 * size),
                      number(1.7 * size),
                      number(1.7 * size));
          case 2 ->
              "M%s %sl%s %sh-%sz"
                  .formatted(
                      number(x),
                      number(y - 1.2 * size),
                      number(1.15 * size),
                      number(2 * size),
                      number(2.3 * size));
          default ->
              "M%s %sl%s %sl-%s %sl-%s -%sz"
                  .formatted(
                      number(x),
                      number(y - 1.25 * size),
                      number(1.25 * size),
                      number(1.25 * size),
                      number(1.25 * size),
                      number(1.25 * size),
                      number(1.25 * size),
                      number(1.25 * size));
        };
    return path("mark " + style, data, title);
  }

  /**
   * @param anchor start, middle or end
   */
  public Svg text(String style, String anchor, double x, double y, String content) {
    return text(style, anchor, "", x, y, content);
  }

  public Svg text(
      String style, String anchor, String attributes, double x, double y, String content) {
    text.append(
        "<text class=\"%s\" text-anchor=\"%s\" %s x=\"%s\" y=\"%s\">%s</text>\n"
            .formatted(style, anchor, attributes, number(x), number(y), escape(content)));
    return this;
  }

  public String end() {
    return text + "</svg>";
  }

  private static String titled(String title) {
    return title == null ? "" : "<title>" + escape(title) + "</title>";
  }

  public static String escape(String content) {
    return content
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  /** Formats a coordinate with at most one decimal; a tenth of a pixel is sufficient. */
  public static String number(double value) {
    String text = String.format(Locale.ROOT, "%.1f", value);
    return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
  }
}
