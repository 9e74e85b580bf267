package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.inspect.Inspection;
import org.alfamix.inspect.Inspection.ClassFlip;
import org.alfamix.inspect.Inspection.Move;
import org.alfamix.inspect.Inspection.Neighbour;
import org.alfamix.select.Batch;
import org.alfamix.select.Explanation;
import org.alfamix.strategy.AlfaMix;

/** Prints the explanation of one item. */
record ExplanationText(Batch batch, Explanation explanation) {
  /** The largest number of classes that are printed. */
  private static final int MAX_CLASSES = 30;

  void print(PrintWriter out) {
    Inspection inspection = explanation.inspection();
    String id = batch.pool().id(explanation.row());
    String row = Integer.toString(explanation.row());
    out.println("item " + id + (id.equals(row) ? "" : ", row " + row));
    out.println("  " + explanation.verdict());
    if (explanation.probabilities().length > 0) {
      out.println(
          "  predicted "
              + topClasses(explanation.probabilities())
              + ", from the given probabilities");
    }
    if (inspection.predicted() >= 0) {
      String by = explanation.probabilities().length > 0 ? "predicted by the head " : "predicted ";
      out.println("  " + by + topClasses(inspection.probabilities()));
    } else if (explanation.probabilities().length == 0 && explanation.usable()) {
      out.println("  no prediction: no head was given, and there are too few labels to fit one");
    }
    if (!inspection.classes().isEmpty()) {
      out.println();
      if (mixing().alpha() != AlfaMix.Alpha.CLOSED_FORM) {
        out.println("  mixing ratios in closed form (cap = mixing ratio × √features):");
      }
      printTable(classRows(inspection), out);
      int left = inspection.classes().size() - MAX_CLASSES;
      if (left > 0) {
        out.println("  and " + left + " more classes with larger caps");
      }
    }
    if (!inspection.nearest().isEmpty()) {
      out.println();
      printTable(neighbourRows(inspection), out);
    }
    out.println();
    out.flush();
  }

  /** Returns the options of ALFA-Mix, or its defaults if another method was used. */
  private AlfaMix.Options mixing() {
    return batch.request().strategy().equals(AlfaMix.ENTRY.name())
        ? AlfaMix.ENTRY.read(batch.request().options())
        : AlfaMix.Options.DEFAULT;
  }

  /** Returns up to three classes with their probabilities, without those below 0.05 %. */
  private String topClasses(double[] p) {
    return IntStream.range(0, p.length)
        .boxed()
        .sorted(Comparator.comparingDouble(k -> -p[k]))
        .limit(3)
        .filter(k -> p[k] >= 0.0005)
        .map(k -> String.format(Locale.ROOT, "%s (%.1f %%)", batch.className(k), 100 * p[k]))
        .collect(Collectors.joining(", then "));
  }

  private List<String[]> classRows(Inspection inspection) {
    boolean mixed = inspection.classes().get(0).anchor() >= 0;
    boolean items = mixing().anchors() == AlfaMix.AnchorChoice.RANDOM_ITEMS;
    boolean fixed = mixing().anchors() == AlfaMix.AnchorChoice.NONE;
    List<String[]> rows = new ArrayList<>();
    rows.add(
        new String[] {
          !mixed ? "moved" : items ? "mixed towards an item of" : "mixed towards",
          mixed ? "labels" : "",
          mixed ? "distance" : fixed ? "" : "norm",
          "flips at cap",
          "mixing ratio",
          "flips to",
          "features that change most"
        });
    for (ClassFlip flip :
        inspection.classes().subList(0, Math.min(MAX_CLASSES, inspection.classes().size()))) {
      String none = items ? "0 (an item of any class)" : "0 (mean of all)";
      String labels = flip.labels() == 0 ? none : Integer.toString(flip.labels());
      rows.add(
          new String[] {
            mixed ? batch.className(flip.anchor()) : "along its gradient",
            mixed ? labels : "",
            fixed ? "" : number(flip.distance()),
            flip.flips() ? number(flip.cap()) : "never",
            !flip.flips() ? "" : fixed ? number(flip.share()) : number(100 * flip.share()) + " %",
            flip.flips() ? batch.className(flip.flipsTo()) : "",
            flip.moves().stream().map(ExplanationText::move).collect(Collectors.joining(", "))
          });
    }
    return rows;
  }

  private static String move(Move move) {
    return String.format(
        Locale.ROOT, "f%d %.3g (%+.2g)", move.feature(), move.from(), move.to() - move.from());
  }

  private List<String[]> neighbourRows(Inspection inspection) {
    List<String[]> rows = new ArrayList<>();
    rows.add(new String[] {"nearest labelled", "label", "distance"});
    for (int n = 0; n < inspection.nearest().size(); n++) {
      Neighbour neighbour = inspection.nearest().get(n);
      rows.add(
          new String[] {
            explanation.nearest().get(n),
            batch.className(neighbour.label()),
            number(neighbour.distance())
          });
    }
    return rows;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3g", value);
  }

  /**
   * Prints rows in columns; the first and the last column are left-aligned, the others
   * right-aligned.
   */
  private static void printTable(List<String[]> rows, PrintWriter out) {
    int columns = rows.get(0).length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int c = 0; c < columns; c++) {
        widths[c] = Math.max(widths[c], row[c].length());
      }
    }
    for (String[] row : rows) {
      StringBuilder line = new StringBuilder(" ");
      for (int c = 0; c < columns; c++) {
        if (widths[c] == 0) {
          continue; // an empty column
        }
        String padding = " ".repeat(widths[c] - row[c].length());
        boolean left = c == 0 || (c == columns - 1 && columns > 3);
        line.append(c == 0 ? " " : "  ").append(left ? row[c] + padding : padding + row[c]);
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
