package org.alfamix.dataset;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.alfamix.data.DataException;
import org.alfamix.data.table.TableSource;
import org.alfamix.data.table.Tables;
import org.alfamix.dataset.Dataset.Part;
import org.alfamix.math.FloatMatrix;

/** A table of one's own: a column with the class, numbers in all others. */
public final class LabelledTable {
  private static final List<String> USUAL = List.of("label", "class", "target", "y");

  private LabelledTable() {}

  /**
   * Reads a table; a tenth of its rows is for testing.
   *
   * @param labelColumn the column with the class, or null for the usual names
   */
  public static Dataset read(Path file, String labelColumn) {
    try (TableSource table = Tables.open(file)) {
      return read(table, file.getFileName().toString(), labelColumn);
    }
  }

  private static Dataset read(TableSource table, String name, String labelColumn) {
    List<String> columns = table.columns();
    int labelAt = labelColumn(table, labelColumn);
    if (columns.size() < 2) {
      throw new DataException(
          "%s: only the column '%s', expected numbers beside it."
              .formatted(table.name(), columns.get(labelAt)));
    }
    List<float[]> rows = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    while (table.next()) {
      String label = table.text(labelAt);
      if (label == null || label.isBlank()) {
        throw new DataException(
            "%s, %s: column %s is empty, expected a class."
                .formatted(table.name(), table.place(), columns.get(labelAt)));
      }
      labels.add(label.strip());
      float[] row = new float[columns.size() - 1];
      for (int c = 0, d = 0; c < columns.size(); c++) {
        if (c != labelAt) {
          row[d++] = table.number(c);
        }
      }
      rows.add(row);
    }
    List<String> classNames = sorted(labels);
    if (classNames.size() < 2) {
      throw new DataException(
          "%s: %s in column %s, expected at least two classes."
              .formatted(
                  table.name(),
                  labels.isEmpty() ? "no rows" : "only '" + classNames.get(0) + "'",
                  columns.get(labelAt)));
    }
    Part all =
        new Part(
            new RowInputs(FloatMatrix.of(rows.toArray(float[][]::new))),
            labels.stream().mapToInt(classNames::indexOf).toArray());
    Scaling scaling = Scaling.none(all.inputs().shape());
    return Dataset.split(name, classNames, all, all.size() - all.size() / 10, scaling);
  }

  private static int labelColumn(TableSource table, String named) {
    List<String> columns = table.columns();
    if (named == null) {
      return USUAL.stream()
          .mapToInt(columns::indexOf)
          .filter(at -> at >= 0)
          .findFirst()
          .orElseThrow(
              () ->
                  new DataException(
                      "%s: which column has the class? Say it with --label-column; there are %s."
                          .formatted(table.name(), String.join(", ", columns))));
    }
    int at = columns.indexOf(named);
    if (at < 0) {
      throw new DataException(
          "%s: no column '%s'; there are %s."
              .formatted(table.name(), named, String.join(", ", columns)));
    }
    return at;
  }

  /** Numbers by their value, everything else by the alphabet. */
  private static List<String> sorted(List<String> labels) {
    TreeSet<String> names = new TreeSet<>(labels);
    return names.stream().allMatch(label -> label.matches("-?\\d{1,18}"))
        ? names.stream().sorted(Comparator.comparingLong(Long::parseLong)).toList()
        : List.copyOf(names);
  }
}
