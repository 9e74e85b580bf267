package org.alfamix.lab.report;

import java.util.List;
import java.util.Locale;
import org.alfamix.chart.Axis;
import org.alfamix.chart.Legend;
import org.alfamix.chart.Svg;

/**
 * A bar chart of percentages in groups, with a line across each bar at the paper's value.
 *
 * @param series names of the bars of a group
 * @param values group × series; NaN for no bar
 * @param others the paper's values, group × series; NaN for no line
 */
record BarChart(
    String title, List<String> groups, List<String> series, double[][] values, double[][] others) {
  private static final double BAR = 8;
  private static final double GAP = 16;
  private static final double LEFT = 34;
  private static final double HEIGHT = 190;
  private static final double ROW = 18;
  private static final double LEAN = 62;

  String svg() {
    double group = BAR * series.size() + GAP;
    double width = LEFT + group * groups.size() + 24;
    List<double[]> places = Legend.rows(series, width - LEFT);
    int rows = 1 + (int) places.get(places.size() - 1)[1];
    double top = rows * ROW + 12;
    double bottom = top + HEIGHT;
    Axis axis = new Axis(0, 100, 25, bottom, top);
    Svg svg = new Svg(width, bottom + LEAN, title);
    for (double tick : axis.ticks()) {
      svg.line("grid", LEFT, axis.at(tick), width - 24, axis.at(tick));
      svg.text("tick", "end", LEFT - 6, axis.at(tick) + 4, axis.label(tick));
    }
    for (int s = 0; s < series.size(); s++) {
      double x = LEFT + places.get(s)[0];
      double y = 4 + places.get(s)[1] * ROW;
      svg.rect("mark " + style(s), x, y + 2, 10, 10, null);
      svg.text("label", "start", x + 15, y + 11, series.get(s));
    }
    for (int g = 0; g < groups.size(); g++) {
      double left = LEFT + g * group + GAP / 2;
      for (int s = 0; s < series.size(); s++) {
        bar(svg, g, s, left + s * BAR, axis);
      }
      double middle = left + BAR * series.size() / 2;
      svg.text(
          "label",
          "end",
          "transform=\"rotate(-30 %s %s)\"".formatted(Svg.number(middle), Svg.number(bottom + 14)),
          middle,
          bottom + 14,
          groups.get(g));
    }
    svg.line("axis", LEFT, bottom, width - 24, bottom);
    return svg.end();
  }

  private void bar(Svg svg, int g, int s, double x, Axis axis) {
    double value = values[g][s];
    double other = others[g][s];
    if (Double.isNaN(value)) {
      return;
    }
    String tooltip =
        String.format(Locale.ROOT, "%s, %s: %.0f %%", groups.get(g), series.get(s), value)
            + (Double.isNaN(other) ? "" : String.format(Locale.ROOT, " (paper: %.0f %%)", other));
    // A bar of height 0 must still show its tooltip.
    double height = Math.max(1, axis.at(0) - axis.at(value));
    svg.rect("mark " + style(s), x, axis.at(0) - height, BAR - 1, height, tooltip);
    if (!Double.isNaN(other)) {
      svg.line("paper", x - 1, axis.at(other), x + BAR, axis.at(other));
    }
  }

  private String style(int s) {
    return Colours.style(Colours.of(series.get(s), series));
  }
}
