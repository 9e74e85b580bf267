package org.alfamix.lab.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.alfamix.chart.Axis;
import org.alfamix.chart.Legend;
import org.alfamix.chart.Svg;
import org.alfamix.lab.run.LatentSpace;
import org.alfamix.lab.run.Round;

/** A map of the latent space with labelled items, candidates, and the picks of a method. */
record LatentChart(String title, LatentSpace space, double[][] plane, Round first) {
  private static final double SIZE = 420;
  private static final double MARGIN = 12;
  private static final double LEGEND = 22;

  String svg() {
    boolean few = space.classNames().size() <= Colours.COUNT;
    Svg svg = new Svg(SIZE, SIZE + LEGEND * (few ? 2 : 1), title);
    Axis x = axis(0, MARGIN, SIZE - MARGIN);
    Axis y = axis(1, SIZE - MARGIN, MARGIN);
    Set<Integer> labelled = LatentFigures.set(first.labelled());
    Set<Integer> candidates =
        LatentFigures.set(first.query().map(Round.Query::candidateItems).orElse(new int[0]));
    Set<Integer> picks =
        LatentFigures.set(first.query().map(Round.Query::picks).orElse(new int[0]));
    dots(svg, x, y, "dots", i -> !candidates.contains(i) && !picks.contains(i));
    dots(svg, x, y, "dots candidate", i -> candidates.contains(i) && !picks.contains(i));
    for (int i = 0; i < space.items().length; i++) {
      int item = space.items()[i];
      if (labelled.contains(item)) {
        svg.mark("labelled", 2, x.at(plane[i][0]), y.at(plane[i][1]), 3, tooltip(i, "labelled"));
      }
    }
    for (int i = 0; i < space.items().length; i++) {
      if (picks.contains(space.items()[i])) {
        String style = "pick " + colour(space.classes()[i]);
        svg.mark(style, 0, x.at(plane[i][0]), y.at(plane[i][1]), 4, tooltip(i, "picked"));
      }
    }
    legend(svg, !candidates.isEmpty());
    return svg.end();
  }

  private void legend(Svg svg, boolean candidates) {
    double y = SIZE + 14;
    List<String> roles =
        candidates
            ? List.of("picked", "labelled", "candidate", "other")
            : List.of("picked", "labelled", "other");
    List<double[]> places = Legend.rows(roles, SIZE);
    for (int r = 0; r < roles.size(); r++) {
      double x = MARGIN + places.get(r)[0];
      switch (roles.get(r)) {
        case "picked" -> svg.mark("pick c1", 0, x + 8, y - 4, 4, null);
        case "labelled" -> svg.mark("labelled", 2, x + 8, y - 4, 3, null);
        case "candidate" -> dot(svg, "dots candidate c1", x + 8, y - 4);
        default -> dot(svg, "dots c1", x + 8, y - 4);
      }
      svg.text("name", "start", x + 18, y, roles.get(r));
    }
    List<String> names = space.classNames();
    if (names.size() > Colours.COUNT) {
      svg.text("tick", "end", SIZE - MARGIN, y, "colours show classes");
      return;
    }
    // Only the names that fit; tooltips show the others.
    List<double[]> classes = Legend.rows(names, SIZE - 2 * MARGIN, 18, 10);
    for (int k = 0; k < names.size() && classes.get(k)[1] == 0; k++) {
      double x = MARGIN + classes.get(k)[0];
      dot(svg, "dots candidate " + colour(k), x + 8, y + LEGEND - 4);
      svg.text("name", "start", x + 18, y + LEGEND, names.get(k));
    }
  }

  private static void dot(Svg svg, String style, double x, double y) {
    svg.path(style, "M%s %sh0".formatted(Svg.number(x), Svg.number(y)), null);
  }

  private String tooltip(int i, String role) {
    return "%s: item %d, class %s"
        .formatted(role, space.items()[i], space.classNames().get(space.classes()[i]));
  }

  private Axis axis(int dimension, double from, double to) {
    double[] values =
        Arrays.stream(plane).mapToDouble(point -> point[dimension]).sorted().toArray();
    double low = values[0];
    double high = values[values.length - 1];
    return new Axis(low, high > low ? high : low + 1, 1, from, to);
  }

  /** Draws all dots of a class as one path, because thousands of elements slow the page down. */
  private void dots(Svg svg, Axis x, Axis y, String style, IntPredicate shown) {
    Map<Integer, StringBuilder> paths = new TreeMap<>();
    for (int i = 0; i < space.items().length; i++) {
      if (shown.test(space.items()[i])) {
        paths
            .computeIfAbsent(space.classes()[i], k -> new StringBuilder())
            .append(
                "M%s %sh0".formatted(Svg.number(x.at(plane[i][0])), Svg.number(y.at(plane[i][1]))));
      }
    }
    List<String> names = space.classNames();
    paths.forEach(
        (k, path) -> svg.path(style + " " + colour(k), path.toString(), "class " + names.get(k)));
  }

  private static String colour(int k) {
    return Colours.style(k);
  }
}
