package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.alfamix.lab.statistics.MeanRanks;

/** Mean ranks on a line, with the critical difference above: bars join those that do not differ. */
record RankDiagram(String title, List<String> methods, MeanRanks ranks) {
  private static final double WIDTH = 420;
  private static final double LEFT = 30;
  private static final double RIGHT = 390;
  private static final double LINE = 58;

  String svg() {
    int count = methods.size();
    List<Integer> order =
        IntStream.range(0, count)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> ranks.means()[i]))
            .toList();
    List<int[]> alike = alike(order);
    int half = (count + 1) / 2;
    double names = LINE + 24 + 9 * alike.size();
    Svg svg = new Svg(WIDTH, names + 18 * half + 8, title);
    Axis axis = new Axis(1, count, 1, LEFT, RIGHT);
    double wide = axis.at(1 + ranks.criticalDifference()) - axis.at(1);
    double end = Math.min(RIGHT, LEFT + wide);
    svg.line("axis", LEFT, 26, end, 26);
    svg.text(
        "tick",
        "start",
        LEFT,
        20,
        String.format(Locale.ROOT, "critical difference %.2f", ranks.criticalDifference())
            + (LEFT + wide > RIGHT ? " (longer than the line)" : ""));
    svg.line("axis", LEFT, LINE, RIGHT, LINE);
    for (double tick : axis.ticks()) {
      svg.line("tickmark", axis.at(tick), LINE - 4, axis.at(tick), LINE);
      svg.text("tick", "middle", axis.at(tick), LINE - 8, axis.label(tick));
    }
    for (int a = 0; a < alike.size(); a++) {
      double y = LINE + 9 + 9 * a;
      svg.line(
          "bar",
          axis.at(ranks.means()[order.get(alike.get(a)[0])]) - 3,
          y,
          axis.at(ranks.means()[order.get(alike.get(a)[1])]) + 3,
          y);
    }
    for (int p = 0; p < count; p++) {
      int method = order.get(p);
      boolean best = p < half;
      double y = names + 18 * (best ? p : count - 1 - p) + 8;
      double x = axis.at(ranks.means()[method]);
      String style = Colours.style(Colours.of(methods.get(method), methods));
      double edge = best ? LEFT + 4 : RIGHT - 4;
      svg.path(
          "thin " + style,
          "M%s %sV%sH%s"
              .formatted(Svg.number(x), Svg.number(LINE), Svg.number(y - 4), Svg.number(edge)),
          null);
      String shown =
          String.format(Locale.ROOT, "%s %.2f", methods.get(method), ranks.means()[method]);
      svg.mark(style, 0, x, LINE, 3.4, shown);
      svg.text("name halo", best ? "start" : "end", edge, y - 6, shown);
    }
    return svg.end();
  }

  /** Groups of neighbours that do not differ, each as its first and last place in the order. */
  private List<int[]> alike(List<Integer> order) {
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
