package org.alfamix.lab.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.DoublePredicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.alfamix.chart.Axis;
import org.alfamix.chart.Legend;
import org.alfamix.chart.Svg;

/**
 * A line chart over rounds or labels, with a band of the spread of each line.
 *
 * @param unit the unit after a value in tooltips, such as {@code " %"}
 */
record LineChart(
    String title, String across, String upwards, String unit, double[] x, List<Series> series) {
  private static final double WIDTH = 420;
  private static final double RIGHT = 400;
  private static final double TOP = 14;
  private static final double BOTTOM = 236;
  private static final double LEGEND = 290;
  private static final double ROW = 17;

  /** One line; {@code spread} is half the width of its band. */
  record Series(String name, int colour, double[] y, double[] spread) {}

  String svg() {
    List<double[]> rows = Legend.rows(series.stream().map(Series::name).toList(), WIDTH - 20);
    double height = LEGEND + ROW * rows.get(rows.size() - 1)[1] + 12;
    Svg svg = new Svg(WIDTH, height, title);
    Axis vertical = Axis.covering(least(), most(), 5, BOTTOM, TOP);
    int digits =
        Arrays.stream(vertical.ticks())
            .mapToObj(vertical::label)
            .mapToInt(String::length)
            .max()
            .orElse(1);
    double from = 30 + 6.2 * digits;
    double last = x[x.length - 1];
    Axis horizontal =
        new Axis(x[0], last, Axis.covering(x[0], last, 5, from, RIGHT).step(), from, RIGHT);
    frame(svg, horizontal, vertical);
    for (Series each : series) {
      band(svg, each, horizontal, vertical);
    }
    for (Series each : series) {
      line(svg, each, horizontal, vertical);
    }
    for (int s = 0; s < series.size(); s++) {
      Series each = series.get(s);
      double left = 10 + rows.get(s)[0];
      double y = LEGEND + ROW * rows.get(s)[1];
      svg.line("curve " + Colours.style(each.colour), left, y - 4, left + 18, y - 4);
      svg.mark(Colours.style(each.colour), each.colour, left + 9, y - 4, 3, null);
      svg.text("name", "start", left + 23, y, each.name);
    }
    return svg.end();
  }

  private void frame(Svg svg, Axis horizontal, Axis vertical) {
    for (double tick : vertical.ticks()) {
      svg.line("grid", horizontal.from(), vertical.at(tick), RIGHT, vertical.at(tick));
      svg.text("tick", "end", horizontal.from() - 6, vertical.at(tick) + 4, vertical.label(tick));
    }
    for (double tick : ticks()) {
      svg.line("tickmark", horizontal.at(tick), BOTTOM, horizontal.at(tick), BOTTOM + 4);
      svg.text(
          "tick",
          "middle",
          horizontal.at(tick),
          BOTTOM + 17,
          String.format(Locale.ROOT, "%,.0f", tick));
    }
    svg.line("axis", horizontal.from(), BOTTOM, RIGHT, BOTTOM);
    svg.text("label", "middle", (horizontal.from() + RIGHT) / 2, BOTTOM + 34, across);
    svg.text(
        "label",
        "middle",
        "transform=\"rotate(-90 13 %s)\"".formatted((TOP + BOTTOM) / 2),
        13,
        (TOP + BOTTOM) / 2,
        upwards);
  }

  /** Returns at most seven values of x as ticks, at even intervals and including the last. */
  private double[] ticks() {
    int every = (x.length + 6) / 7;
    return IntStream.range(0, x.length)
        .filter(i -> (x.length - 1 - i) % every == 0)
        .mapToDouble(i -> x[i])
        .toArray();
  }

  /** Returns the lower end of the axis; bands of non-negative values are clipped at zero. */
  private double least() {
    double least = values().min().orElse(0);
    return all(y -> y >= 0) ? Math.max(0, least) : least;
  }

  /** Returns the upper end of the axis; bands of percentages are clipped at 100. */
  private double most() {
    double most = values().max().orElse(1);
    return unit.equals(" %") && all(y -> y <= 100) ? Math.min(100, most) : most;
  }

  private boolean all(DoublePredicate holds) {
    return series.stream().flatMapToDouble(each -> Arrays.stream(each.y)).allMatch(holds);
  }

  private DoubleStream values() {
    return series.stream()
        .flatMapToDouble(
            each ->
                IntStream.range(0, each.y.length)
                    .filter(i -> Double.isFinite(each.y[i]))
                    .mapToObj(
                        i -> new double[] {each.y[i] - each.spread[i], each.y[i] + each.spread[i]})
                    .flatMapToDouble(Arrays::stream));
  }

  private void band(Svg svg, Series each, Axis horizontal, Axis vertical) {
    if (Arrays.stream(each.spread).allMatch(spread -> spread == 0)) {
      return;
    }
    StringBuilder data = new StringBuilder();
    for (int i = 0; i < each.y.length; i++) {
      double upper = Math.min(vertical.high(), each.y[i] + each.spread[i]);
      append(data, i == 0, horizontal.at(x[i]), vertical.at(upper));
    }
    for (int i = each.y.length - 1; i >= 0; i--) {
      append(
          data,
          false,
          horizontal.at(x[i]),
          vertical.at(Math.max(vertical.low(), each.y[i] - each.spread[i])));
    }
    svg.path("band " + Colours.style(each.colour), data.append('z').toString(), null);
  }

  private void line(Svg svg, Series each, Axis horizontal, Axis vertical) {
    StringBuilder data = new StringBuilder();
    for (int i = 0; i < each.y.length; i++) {
      append(data, i == 0, horizontal.at(x[i]), vertical.at(each.y[i]));
    }
    svg.path("curve " + Colours.style(each.colour), data.toString(), each.name);
    for (int i = 0; i < each.y.length; i++) {
      String tooltip =
          String.format(
              Locale.ROOT,
              "%s, %s %,.0f: %s%s",
              each.name,
              across,
              x[i],
              Cell.rounded(each.y[i]),
              unit);
      svg.mark(
          Colours.style(each.colour),
          each.colour,
          horizontal.at(x[i]),
          vertical.at(each.y[i]),
          2.8,
          tooltip);
    }
  }

  private static void append(StringBuilder data, boolean first, double x, double y) {
    data.append(first ? 'M' : 'L').append(Svg.number(x)).append(' ').append(Svg.number(y));
  }
}
