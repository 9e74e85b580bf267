package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.io.CodePoints;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;
import org.alfamix.math.FloatMatrix;

/** A table of one's own: a column with the class, numbers in the others. */
public final class LabelledTable {
  private static final List<String> USUAL = List.of("label", "class", "target", "y");

  private LabelledTable() {}

  /**
   * Which columns of a table mean what.
   *
   * @param label the column with the class, or null for the usual names
   * @param id the column that names a row, or null for its line
   * @param ignored columns that are left out
   */
  public record Columns(String label, String id, List<String> ignored) {

    public Columns {
      ignored = List.copyOf(ignored);
    }
  }

  /**
   * Reads a table; a tenth of the rows is set aside for testing. Rows of the pool without a class
   * are unlabelled.
   */
  public static Dataset read(Path file, Columns columns) {
    try (TableSource table = Tables.open(file)) {
      return read(table, file.getFileName().toString(), columns);
    }
  }

  private static Dataset read(TableSource table, String name, Columns columns) {
    if (table.columns().isEmpty()) {
      throw new DataException(table.name() + ": empty, expected rows of numbers with a class.");
    }
    int labelAt = labelColumn(table, columns.label());
    int idAt = columns.id() == null ? -1 : column(table, columns.id());
    List<Integer> used = new ArrayList<>();
    for (int c = 0; c < table.columns().size(); c++) {
      used.add(c);
    }
    used.removeAll(Arrays.asList(labelAt, idAt));
    for (String ignored : columns.ignored()) {
      used.remove((Object) column(table, ignored));
    }
    String labelName = table.columns().get(labelAt);
    if (used.isEmpty()) {
      throw new DataException(
          "%s: no columns of numbers beside '%s'.".formatted(table.name(), labelName));
    }
    List<float[]> rows = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    Map<String, String> seen = new HashMap<>();
    while (table.next()) {
      String label = table.text(labelAt);
      labels.add(isKnown(label) ? label.strip() : null);
      ids.add(idAt < 0 ? table.place() : id(table, idAt, seen));
      float[] row = new float[used.size()];
      for (int d = 0; d < row.length; d++) {
        row[d] = table.number(used.get(d));
      }
      rows.add(row);
    }
    List<String> classNames = sorted(labels.stream().filter(label -> label != null).toList());
    if (classNames.size() < 2) {
      throw new DataException(
          "%s: %s in column %s, expected at least two classes."
              .formatted(
                  table.name(),
                  classNames.isEmpty() ? "no classes" : "only '" + classNames.get(0) + "'",
                  labelName));
    }
    FloatMatrix values = FloatMatrix.of(rows.toArray(float[][]::new));
    InputShape shape = InputShape.table(values.columns());
    int[] classes =
        labels.stream()
            .mapToInt(label -> label == null ? Dataset.UNLABELLED : classNames.indexOf(label))
            .toArray();
    Part all = new Part(new RowInputs(shape, values, ids), classes);
    return Dataset.split(name, classNames, all, all.size() / 10, Scaling.none(shape));
  }

  private static String id(TableSource table, int column, Map<String, String> seen) {
    String id = table.text(column) == null ? "" : table.text(column).strip();
    String where = seen.putIfAbsent(id, table.place());
    if (id.isEmpty() || where != null) {
      throw new DataException(
          "%s, %s: column %s is %s, expected a name of its own for every row."
              .formatted(
                  table.name(),
                  table.place(),
                  table.columns().get(column),
                  id.isEmpty() ? "empty" : "'" + id + "' as in " + where));
    }
    return id;
  }

  /** As in the files of labels that {@code select} reads: empty or nan is not labelled. */
  public static boolean isKnown(String label) {
    return label != null && !label.isBlank() && !label.strip().equalsIgnoreCase("nan");
  }

  private static int column(TableSource table, String name) {
    int at = table.columns().indexOf(name);
    if (at < 0) {
      throw new DataException(
          "%s: no column '%s'; there are %s."
              .formatted(table.name(), name, String.join(", ", table.columns())));
    }
    return at;
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
                          "%s: no column is called %s; there are %s."
                              .formatted(
                                  table.name(),
                                  String.join(" or ", USUAL),
                                  String.join(", ", columns)))
                      .advise("name the class column", "labelColumn"));
    }
    return column(table, named);
  }

  /** Numbers by their value, everything else by code points. */
  private static List<String> sorted(List<String> labels) {
    TreeSet<String> names = new TreeSet<>(CodePoints.ORDER);
    names.addAll(labels);
    return names.stream().allMatch(label -> label.matches("-?\\d{1,18}"))
        ? names.stream().sorted(Comparator.comparingLong(Long::parseLong)).toList()
        : List.copyOf(names);
  }
}
