package org.alfamix.datasets;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.IntStream;
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
   * @param numbers columns of numbers that belong to the texts
   */
  public record Columns(
      String label, String id, List<String> ignored, String text, List<String> numbers) {

    public Columns {
      ignored = List.copyOf(ignored);
      numbers = List.copyOf(numbers);
    }

    /** Creates the columns of a table of numbers. */
    public Columns(String label, String id, List<String> ignored) {
      this(label, id, ignored, null, List.of());
    }
  }

  /** The places of the columns in a table; −1 for a column that does not exist. */
  private record Places(int label, int id, int text, int[] numbers) {

    static Places of(TableSource table, Columns columns) {
      int label = labelColumn(table, columns);
      int id = columns.id() == null ? -1 : table.requireColumn(columns.id());
      int text = columns.text() == null ? -1 : table.requireColumn(columns.text());
      if (text >= 0 && (text == label || text == id)) {
        throw new DataException(
            "%s: column '%s' cannot be the text and %s."
                .formatted(table.name(), columns.text(), text == label ? "the class" : "the id"));
      }
      List<Integer> numbers = new ArrayList<>();
      if (text >= 0) {
        columns.numbers().forEach(name -> numbers.add(table.requireColumn(name)));
      } else {
        IntStream.range(0, table.columns().size()).forEach(numbers::add);
        numbers.removeAll(Arrays.asList(label, id));
        for (String name : columns.ignored()) {
          numbers.remove((Object) table.requireColumn(name));
        }
      }
      for (int other : new int[] {label, id, text}) {
        if (numbers.contains(other)) {
          throw new DataException(
              "%s: column '%s' cannot be a feature and have another role."
                  .formatted(table.name(), table.columns().get(other)));
        }
      }
      if (text < 0 && numbers.isEmpty()) {
        throw new DataException(
            "%s: expected columns of numbers in addition to '%s'."
                .formatted(table.name(), table.columns().get(label)));
      }
      return new Places(label, id, text, numbers.stream().mapToInt(Integer::intValue).toArray());
    }
  }

  /** The rows of a table, column by column. */
  private static final class Rows {
    private final List<String> texts = new ArrayList<>();
    private final List<float[]> numbers = new ArrayList<>();
    private final List<String> labels = new ArrayList<>();
    private final List<String> ids = new ArrayList<>();
  }

  /** Reads a table and ignores remarks on it. */
  public static Dataset read(Path file, Columns columns) {
    return read(file, columns, remark -> {});
  }

  /**
   * Reads a table and holds out a tenth of the rows for testing. Rows of the pool without a class
   * are unlabelled. A table of texts may have no classes at all; then nothing is held out.
   *
   * @param remarks receives remarks, such as on columns that are not used
   */
  public static Dataset read(Path file, Columns columns, Consumer<String> remarks) {
    try (TableSource table = Tables.open(file)) {
      return read(table, file.getFileName().toString(), columns, remarks);
    }
  }

  private static Dataset read(
      TableSource table, String name, Columns columns, Consumer<String> remarks) {
    if (table.columns().isEmpty()) {
      throw new DataException(
          table.name() + ": the file is empty; expected rows of numbers with a class.");
    }
    Places places = Places.of(table, columns);
    List<String> names = Arrays.stream(places.numbers()).mapToObj(table.columns()::get).toList();
    UselessColumns useless = new UselessColumns(names);
    Rows rows = rows(table, places, useless);
    List<String> classNames =
        places.label() < 0 ? List.of() : classNames(table, places, rows.labels);
    int[] useful =
        IntStream.range(0, names.size()).filter(c -> useless.reason(c).isEmpty()).toArray();
    // A table with useless columns alone is learnt from as it is.
    boolean reduced = useful.length < names.size() && (useful.length > 0 || places.text() >= 0);
    if (reduced) {
      IntStream.range(0, names.size())
          .forEach(c -> useless.reason(c).ifPresent(r -> remarks.accept(table.name() + ": " + r)));
    }
    List<float[]> numbers =
        reduced ? rows.numbers.stream().map(row -> select(row, useful)).toList() : rows.numbers;
    Inputs inputs =
        places.text() < 0
            ? numbers(numbers, rows.ids)
            : new TextInputs(rows.texts, rows.ids, names.isEmpty() ? null : numbers);
    if (places.label() < 0) {
      return TextFiles.unlabelled(name, inputs);
    }
    int[] classes =
        rows.labels.stream()
            .mapToInt(label -> label == null ? Dataset.UNLABELLED : classNames.indexOf(label))
            .toArray();
    Part all = new Part(inputs, classes);
    return Dataset.split(name, classNames, all, all.size() / 10, Scaling.none(inputs.shape()));
  }

  private static Rows rows(TableSource table, Places places, UselessColumns useless) {
    Rows rows = new Rows();
    Map<String, String> seen = new HashMap<>();
    while (table.next()) {
      String label = places.label() < 0 ? null : table.text(places.label());
      rows.labels.add(isKnown(label) ? label.strip() : null);
      rows.ids.add(places.id() < 0 ? table.place() : id(table, places.id(), seen));
      if (places.text() >= 0) {
        rows.texts.add(Objects.requireNonNullElse(table.text(places.text()), ""));
      }
      float[] row = new float[places.numbers().length];
      for (int d = 0; d < row.length; d++) {
        row[d] = table.number(places.numbers()[d]);
        useless.add(d, table.text(places.numbers()[d]));
      }
      rows.numbers.add(row);
    }
    if (rows.ids.isEmpty() && places.label() < 0) {
      throw new DataException(table.name() + ": the table has no rows.");
    }
    return rows;
  }

  private static float[] select(float[] row, int[] columns) {
    float[] selected = new float[columns.length];
    for (int d = 0; d < columns.length; d++) {
      selected[d] = row[columns[d]];
    }
    return selected;
  }

  private static List<String> classNames(TableSource table, Places places, List<String> labels) {
    List<String> classNames = sorted(labels.stream().filter(label -> label != null).toList());
    if (classNames.size() < 2) {
      throw new DataException(
          "%s: expected at least two classes in column %3$s, found %2$s."
              .formatted(
                  table.name(),
                  classNames.isEmpty() ? "none" : "only '" + classNames.get(0) + "'",
                  table.columns().get(places.label())));
    }
    return classNames;
  }

  private static Inputs numbers(List<float[]> rows, List<String> ids) {
    FloatMatrix values = FloatMatrix.of(rows.toArray(float[][]::new));
    return new RowInputs(InputShape.table(values.columns()), values, ids);
  }

  /** Returns the id of the current row, which must not be empty or occur twice. */
  static String id(TableSource table, int column, Map<String, String> seen) {
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

  /** Returns the place of the column of classes; −1 if texts have none. */
  private static int labelColumn(TableSource table, Columns roles) {
    List<String> columns = table.columns();
    if (roles.label() == null) {
      OptionalInt usual =
          DEFAULT_NAMES.stream().mapToInt(columns::indexOf).filter(at -> at >= 0).findFirst();
      if (usual.isEmpty() && roles.text() != null) {
        return -1;
      }
      return usual.orElseThrow(
          () ->
              new DataException(
                      "%s: no column %s; the columns are %s."
                          .formatted(
                              table.name(),
                              "'" + String.join("' or '", DEFAULT_NAMES) + "'",
                              String.join(", ", columns)))
                  .advise("name the class column", "labelColumn"));
    }
    return table.requireColumn(roles.label());
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
