package org.alfamix.lab.report;

import java.util.stream.Collectors;

/**
 * A figure with its data.
 *
 * @param caption the text below the figure
 * @param readable whether its data are also a table for people, such as a matrix, unlike a thousand
 *     points
 */
record Figure(String svg, String caption, DataTable data, boolean readable) {
  private static final double WIDE = 580;

  Figure(String svg, String caption, DataTable data) {
    this(svg, caption, data, false);
  }

  /** Returns whether the figure needs the full width of the page. */
  boolean isWide() {
    return Double.parseDouble(box()[2]) > WIDE;
  }

  private String[] box() {
    return svg.replaceFirst("(?s).*?viewBox=\"([^\"]*)\".*", "$1").split(" ");
  }

  /**
   * Returns the figure as a separate SVG file, in the light colours of the page.
   *
   * @param css the styles of the page
   */
  String standalone(String css) {
    String[] box = box();
    String styles =
        css.substring(0, css.indexOf("}\n") + 2)
            + css.lines()
                .filter(line -> line.startsWith("svg ") || line.matches("\\.c\\d.*"))
                .collect(Collectors.joining("\n", "", "\n"));
    int start = svg.indexOf(">") + 1;
    return "%s width=\"%s\" height=\"%s\" style=\"background: #fff\">\n<style>\n%s</style>%s\n"
        .formatted(svg.substring(0, start - 1), box[2], box[3], styles, svg.substring(start));
  }
}
