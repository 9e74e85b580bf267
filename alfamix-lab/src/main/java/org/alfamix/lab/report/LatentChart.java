package org.alfamix.lab.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.alfamix.lab.run.LatentSpace;
import org.alfamix.lab.run.Round;

/** The latent space with what was labelled, what was a candidate, and what a method picked. */
record LatentChart(String title, LatentSpace space, double[][] plane, Round first) {
  private static final double SIZE = 420;
  private static final double MARGIN = 12;
  private static final double LEGEND = 22;

  String svg() {
    Svg svg = new Svg(SIZE, SIZE + LEGEND, title);
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
        svg.mark("labelled", 2, x.at(plane[i][0]), y.at(plane[i][1]), 3, what(i, "labelled"));
      }
    }
    for (int i = 0; i < space.items().length; i++) {
      if (picks.contains(space.items()[i])) {
        String style = "pick " + colour(space.classes()[i]);
        svg.mark(style, 0, x.at(plane[i][0]), y.at(plane[i][1]), 4, what(i, "picked"));
      }
    }
    double at = SIZE + 14;
    svg.mark("pick c0", 0, 16, at - 4, 4, null).text("name", "start", 25, at, "picked");
    svg.mark("labelled", 2, 88, at - 4, 3, null).text("name", "start", 97, at, "labelled");
    if (!candidates.isEmpty()) {
      svg.path("dots candidate c0", "M170 %sh0".formatted(Svg.number(at - 4)), null)
          .text("name", "start", 179, at, "candidate");
    }
    svg.path("dots c0", "M258 %sh0".formatted(Svg.number(at - 4)), null)
        .text("name", "start", 267, at, "other; colours are classes");
    return svg.end();
  }

  private String what(int i, String role) {
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

  /** All dots of a class in one path: thousands of elements would make the page slow. */
  private void dots(Svg svg, Axis x, Axis y, String style, java.util.function.IntPredicate shown) {
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
