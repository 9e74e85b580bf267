package org.alfamix.lab.report;

import java.util.List;
import java.util.Locale;
import org.alfamix.chart.Svg;
import org.alfamix.lab.statistics.PenaltyMatrix;

/** A heat map of a penalty matrix: rows beat columns; the last row is the column mean. */
record HeatMap(String title, PenaltyMatrix matrix) {
  private static final double LETTER = 6.4;
  private static final double WIDTH = 410;
  private static final double NARROW = 30;

  String svg() {
    List<String> methods = matrix.methods();
    int count = methods.size();
    int longest = methods.stream().mapToInt(String::length).max().orElse(1);
    double left = Math.max(40, longest * LETTER + 8);
    double top = Math.max(24, longest * LETTER * 0.72 + 14);
    double over = longest * LETTER * 0.55 + 6; // the last rotated name extends to the right
    double cell = Math.min(44, (WIDTH - left - over) / count);
    double width = Math.max(300, left + cell * count + over);
    double bottom = top + cell * count;
    Svg svg = new Svg(width, bottom + cell + 14, title);
    for (int j = 0; j < count; j++) {
      double x = left + cell * (j + 0.5);
      svg.text(
          "name",
          "start",
          "transform=\"rotate(-45 %s %s)\"".formatted(Svg.number(x), Svg.number(top - 6)),
          x,
          top - 6,
          methods.get(j));
    }
    for (int i = 0; i < count; i++) {
      double y = top + cell * i;
      svg.text("name", "end", left - 6, y + cell / 2 + 4, methods.get(i));
      for (int j = 0; j < count; j++) {
        cell(svg, i, j, left + cell * j, y, cell);
      }
    }
    svg.text("name", "end", left - 6, bottom + 6 + cell / 2 + 4, "mean");
    for (int j = 0; j < count; j++) {
      double mean = matrix.columnMean(j);
      shade(
          svg,
          mean / matrix.maximum(),
          left + cell * j,
          bottom + 6,
          cell,
          "%s: beaten by the other methods in %s of %d settings on average"
              .formatted(methods.get(j), text(mean), matrix.maximum()),
          inCell(mean, cell));
    }
    return svg.end();
  }

  private void cell(Svg svg, int i, int j, double x, double y, double cell) {
    if (i == j || matrix.settings()[i][j] == 0) {
      svg.rect("empty", x, y, cell - 1, cell - 1, null);
      return;
    }
    double value = matrix.victories()[i][j];
    String tooltip =
        "%s beats %s: %s of %d settings"
            .formatted(
                matrix.methods().get(i),
                matrix.methods().get(j),
                text(value),
                matrix.settings()[i][j]);
    shade(svg, value / matrix.settings()[i][j], x, y, cell, tooltip, inCell(value, cell));
  }

  private static void shade(
      Svg svg, double share, double x, double y, double cell, String tooltip, String shown) {
    double opacity = Double.isNaN(share) ? 0 : 0.06 + 0.84 * share;
    svg.rect(
        "shade mark",
        String.format(Locale.ROOT, "fill-opacity=\"%.2f\"", opacity),
        x,
        y,
        cell - 1,
        cell - 1,
        tooltip);
    svg.text(
        share > 0.55 ? "value on" : "value",
        "middle",
        x + (cell - 1) / 2,
        y + cell / 2 + 3.5,
        shown);
  }

  /** Formats a value with one decimal if two would not fit into the cell. */
  private static String inCell(double value, double cell) {
    return cell < NARROW && Double.isFinite(value)
        ? String.format(Locale.ROOT, value == 0 ? "%.0f" : "%.1f", value)
        : text(value);
  }

  private static String text(double value) {
    if (Double.isNaN(value)) {
      return "–";
    }
    return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
  }
}
