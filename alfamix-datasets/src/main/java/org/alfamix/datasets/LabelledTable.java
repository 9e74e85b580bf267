package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.io.CodePoints;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;
import org.alfamix.math.FloatMatrix;

/** Reads a table with a column of classes, and columns of numbers or a column of texts. */
public final class LabelledTable {
  private static final List<String> DEFAULT_NAMES = List.of("label", "class", "target", "y");

  private LabelledTable() {}

  /**
   * The roles of the columns of a table.
   *
   * @param label the column of classes, or null for one of the default names
   * @param id the column of row identifiers, or null to use the line
   * @param ignored columns to ignore
   * @param text the column of texts, or null if the items are rows of numbers
   */
  public record Columns(String label, String id, List<String> ignored, String text) {

    public Columns {
      ignored = List.copyOf(ignored);
    }

    /** Creates the columns of a table of numbers. */
    public Columns(String label, String id, List<String> ignored) {
      this(label, id, ignored, null);
    }
  }

  /**
   * Reads a table and holds out a tenth of the rows for testing. Rows of the pool without a class
   * are unlabelled.
   */
  public static Dataset read(Path file, Columns columns) {
    try (TableSource table = Tables.open(file)) {
      return read(table, file.getFileName().toString(), columns);
    }
  }

  private static Dataset read(TableSource table, String name, Columns columns) {
    if (table.columns().isEmpty()) {
      throw new DataException(
          table.name() + ": the file is empty; expected rows of numbers with a class.");
    }
    int labelAt = labelColumn(table, columns.label());
    int idAt = columns.id() == null ? -1 : table.requireColumn(columns.id());
    List<Integer> used = new ArrayList<>();
    int textAt = columns.text() == null ? -1 : table.requireColumn(columns.text());
    for (int c = 0; c < table.columns().size(); c++) {
      used.add(c);
    }
    used.removeAll(Arrays.asList(labelAt, idAt));
    for (String ignored : columns.ignored()) {
      used.remove((Object) table.requireColumn(ignored));
    }
    String labelName = table.columns().get(labelAt);
    if (textAt == labelAt || textAt >= 0 && textAt == idAt) {
      throw new DataException(
          "%s: column '%s' cannot be the text and %s."
              .formatted(table.name(), columns.text(), textAt == labelAt ? "the class" : "the id"));
    }
    if (textAt < 0 && used.isEmpty()) {
      throw new DataException(
          "%s: expected columns of numbers in addition to '%s'."
              .formatted(table.name(), labelName));
    }
    List<float[]> rows = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    Map<String, String> seen = new HashMap<>();
    while (table.next()) {
      String label = table.text(labelAt);
      labels.add(isKnown(label) ? label.strip() : null);
      ids.add(idAt < 0 ? table.place() : id(table, idAt, seen));
      if (textAt >= 0) {
        texts.add(Objects.requireNonNullElse(table.text(textAt), ""));
        continue;
      }
      float[] row = new float[used.size()];
      for (int d = 0; d < row.length; d++) {
        row[d] = table.number(used.get(d));
      }
      rows.add(row);
    }
    List<String> classNames = sorted(labels.stream().filter(label -> label != null).toList());
    if (classNames.size() < 2) {
      throw new DataException(
          "%s: expected at least two classes in column %3$s, found %2$s."
              .formatted(
                  table.name(),
                  classNames.isEmpty() ? "none" : "only '" + classNames.get(0) + "'",
                  labelName));
    }
    int[] classes =
        labels.stream()
            .mapToInt(label -> label == null ? Dataset.UNLABELLED : classNames.indexOf(label))
            .toArray();
    Inputs inputs = textAt >= 0 ? new TextInputs(texts, ids) : numbers(rows, ids);
    Part all = new Part(inputs, classes);
    return Dataset.split(name, classNames, all, all.size() / 10, Scaling.none(inputs.shape()));
  }

  private static Inputs numbers(List<float[]> rows, List<String> ids) {
    FloatMatrix values = FloatMatrix.of(rows.toArray(float[][]::new));
    return new RowInputs(InputShape.table(values.columns()), values, ids);
  }

  private static String id(TableSource table, int column, Map<String, String> seen) {
    String id = table.text(column) == null ? "" : table.text(column).strip();
    String firstPlace = seen.putIfAbsent(id, table.place());
    if (id.isEmpty() || firstPlace != null) {
      throw new DataException(
          "%s, %s: column %s is %s, expected a unique value in every row."
              .formatted(
                  table.name(),
                  table.place(),
                  table.columns().get(column),
                  id.isEmpty() ? "empty" : "'" + id + "' as in " + firstPlace));
    }
    return id;
  }

  /**
   * Returns whether a label is given. As in the labels of {@code select}, empty and nan mean none.
   */
  public static boolean isKnown(String label) {
    return label != null && !label.isBlank() && !label.strip().equalsIgnoreCase("nan");
  }

  private static int labelColumn(TableSource table, String named) {
    List<String> columns = table.columns();
    if (named == null) {
      return DEFAULT_NAMES.stream()
          .mapToInt(columns::indexOf)
          .filter(at -> at >= 0)
          .findFirst()
          .orElseThrow(
              () ->
                  new DataException(
                          "%s: no column %s; the columns are %s."
                              .formatted(
                                  table.name(),
                                  "'" + String.join("' or '", DEFAULT_NAMES) + "'",
                                  String.join(", ", columns)))
                      .advise("name the class column", "labelColumn"));
    }
    return table.requireColumn(named);
  }

  /** Sorts integers by value, and all other labels by code points. */
  static List<String> sorted(List<String> labels) {
    TreeSet<String> names = new TreeSet<>(CodePoints.ORDER);
    names.addAll(labels);
    return names.stream().allMatch(label -> label.matches("-?\\d{1,18}"))
        ? names.stream().sorted(Comparator.comparingLong(Long::parseLong)).toList()
        : List.copyOf(names);
  }
}
