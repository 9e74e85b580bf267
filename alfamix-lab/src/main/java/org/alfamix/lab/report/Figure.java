package org.alfamix.lab.report;

import java.util.stream.Collectors;

/**
 * A drawing with what it was drawn from.
 *
 * @param caption what to see in it
 * @param readable whether its data are a table for people, too: a matrix is, a thousand points are
 *     not
 */
record Figure(String svg, String caption, DataTable data, boolean readable) {
  private static final double WIDE = 580;

  Figure(String svg, String caption, DataTable data) {
    this(svg, caption, data, false);
  }

  /** Returns whether it needs a row of its own to be read. */
  boolean isWide() {
    return Double.parseDouble(box()[2]) > WIDE;
  }

  private String[] box() {
    return svg.replaceFirst("(?s).*?viewBox=\"([^\"]*)\".*", "$1").split(" ");
  }

  /**
   * The drawing as a file of its own, in the page's light colours.
   *
   * @param css the page's styles
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
