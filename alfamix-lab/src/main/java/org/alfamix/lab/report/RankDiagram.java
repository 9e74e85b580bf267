package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.alfamix.chart.Axis;
import org.alfamix.chart.Svg;
import org.alfamix.lab.statistics.MeanRanks;

/** A critical difference diagram: mean ranks on a line; bars connect ranks that do not differ. */
record RankDiagram(String title, List<String> methods, MeanRanks ranks) {
  private static final double WIDTH = 440;
  private static final double LETTER = 6.6;
  private static final double LINE = 58;
  private static final double ROW = 18;

  String svg() {
    int count = methods.size();
    List<Integer> order =
        IntStream.range(0, count)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> ranks.means()[i]))
            .toList();
    List<int[]> groups = groups(order);
    int half = (count + 1) / 2;
    double names = LINE + 26 + 9 * groups.size();
    Svg svg = new Svg(WIDTH, names + ROW * (half - 1) + 12, title);
    double left = Math.min(170, 12 + LETTER * longest(order.subList(0, half)));
    double right = WIDTH - Math.min(170, 12 + LETTER * longest(order.subList(half, count)));
    Axis axis = new Axis(1, Math.max(2, count), 1, left, right);
    scale(svg, axis);
    for (int a = 0; a < groups.size(); a++) {
      double y = LINE + 9 + 9 * a;
      double from = axis.at(ranks.means()[order.get(groups.get(a)[0])]) - 3;
      double to = axis.at(ranks.means()[order.get(groups.get(a)[1])]) + 3;
      svg.line("bar", from, y, to, y);
    }
    for (int p = 0; p < count; p++) {
      boolean best = p < half;
      method(svg, axis, order.get(p), best, names + ROW * (best ? p : count - 1 - p));
    }
    return svg.end();
  }

  private int longest(List<Integer> some) {
    return some.stream().mapToInt(method -> shown(method).length()).max().orElse(0);
  }

  private String shown(int method) {
    return String.format(Locale.ROOT, "%s %.2f", methods.get(method), ranks.means()[method]);
  }

  private void scale(Svg svg, Axis axis) {
    double wide = axis.at(1 + ranks.criticalDifference()) - axis.at(1);
    boolean beyond = axis.from() + wide > axis.to();
    svg.line("axis", axis.from(), 26, Math.min(axis.to(), axis.from() + wide), 26);
    svg.text(
        "tick",
        "start",
        axis.from(),
        20,
        String.format(Locale.ROOT, "critical difference %.2f", ranks.criticalDifference())
            + (beyond ? " (beyond the axis)" : ""));
    svg.line("axis", axis.from(), LINE, axis.to(), LINE);
    for (double tick : axis.ticks()) {
      svg.line("tickmark", axis.at(tick), LINE - 4, axis.at(tick), LINE);
      svg.text("tick", "middle", axis.at(tick), LINE - 8, axis.label(tick));
    }
  }

  /** Draws a mark and a line from it to the name; better methods are on the left. */
  private void method(Svg svg, Axis axis, int method, boolean best, double y) {
    double x = axis.at(ranks.means()[method]);
    double edge = best ? axis.from() - 4 : axis.to() + 4;
    String style = Colours.style(Colours.of(methods.get(method), methods));
    svg.path(
        "thin " + style,
        "M%s %sV%sH%s".formatted(Svg.number(x), Svg.number(LINE), Svg.number(y), Svg.number(edge)),
        null);
    svg.mark(style, 0, x, LINE, 3.4, shown(method));
    svg.text("name", best ? "end" : "start", best ? edge - 3 : edge + 3, y + 4, shown(method));
  }

  /** Returns groups of neighbours that do not differ, as first and last position in the order. */
  private List<int[]> groups(List<Integer> order) {
    List<int[]> groups = new ArrayList<>();
    int reached = -1;
    for (int first = 0; first < order.size(); first++) {
      int last = first;
      while (last + 1 < order.size()
          && ranks.means()[order.get(last + 1)] - ranks.means()[order.get(first)]
              < ranks.criticalDifference()) {
        last++;
      }
      if (last > first && last > reached) {
        groups.add(new int[] {first, last});
        reached = last;
      }
    }
    return groups;
  }
}
