package org.alfamix.select;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.alfamix.io.DataException;
import org.alfamix.io.array.Npy;
import org.alfamix.io.array.NumericArray;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;

/** The labels of a pool's items. */
public final class Labels {
  /** Common names of a column of labels, the most likely first. */
  public static final List<String> LABEL_COLUMNS = List.of("label", "class", "target", "y");

  /** A label and its position in the input. */
  private record Entry(String label, String place) {}

  private final String name;

  /** Labels by row of the pool. */
  private final Map<Integer, Entry> entries = new TreeMap<>();

  private Labels(String name) {
    this.name = name;
  }

  /** Returns an empty set of labels, for a cold start. */
  public static Labels none() {
    return new Labels("no labels");
  }

  /** Returns labels by row; both arrays have one entry per labelled item. */
  public static Labels of(int[] rows, int[] classes) {
    Labels labels = new Labels("labels");
    for (int i = 0; i < rows.length; i++) {
      labels.put(rows[i], Integer.toString(classes[i]), "entry " + i);
    }
    return labels;
  }

  /**
   * Returns labels by row.
   *
   * @param name their source, for messages
   * @param rows the rows of the labelled items
   * @param labels one per row
   */
  public static Labels of(String name, int[] rows, List<String> labels) {
    Labels result = new Labels(name);
    for (int i = 0; i < rows.length; i++) {
      result.put(rows[i], labels.get(i), "row " + rows[i]);
    }
    return result;
  }

  /**
   * Returns labels of items that have ids.
   *
   * @param name their source, for messages
   * @param ids the ids of the items
   * @param labels their labels; they get the rows 0, 1, … in this order
   */
  public static Labels of(String name, List<String> ids, List<String> labels) {
    Labels result = new Labels(name);
    for (int i = 0; i < labels.size(); i++) {
      result.put(i, labels.get(i).strip(), "item '" + ids.get(i) + "'");
    }
    return result;
  }

  /**
   * Reads labels: a table with the columns id and label (empty or nan for unlabelled items), an
   * integer {@code .npy} with −1 for unlabelled rows, or an export of Label Studio ({@code .json}).
   *
   * @param idColumn the column with the ids, or null for the usual names
   * @param labelColumn the column with the labels, or null for the usual names
   * @throws DataException if an id is unknown or has two labels
   */
  public static Labels read(Path file, Pool pool, String idColumn, String labelColumn) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file.");
    }
    Labels labels = new Labels(file.toString());
    if (name.endsWith(".npy")) {
      labels.readArray(Npy.open(file), pool);
    } else if (name.endsWith(".json")) {
      LabelStudioExport.read(file, pool, idColumn, labelColumn, labels::putAgain);
    } else if (Tables.isTable(file)) {
      try (TableSource table = Tables.open(file)) {
        labels.readTable(table, pool, idColumn, labelColumn);
      }
    } else {
      throw new DataException(
          file + ": expected .csv, .tsv, .jsonl, .parquet, .npy or Label Studio's .json.");
    }
    return labels;
  }

  private void readArray(NumericArray array, Pool pool) {
    array.requireDimensions(1);
    if (array.size() != pool.size()) {
      throw new DataException(
          "%s: %d labels, expected %d, one per item of the pool (-1 for unlabelled)."
              .formatted(array.name(), array.size(), pool.size()));
    }
    int[] classes = array.readInts();
    for (int row = 0; row < classes.length; row++) {
      if (classes[row] < -1) {
        throw new DataException(
            "%s, row %d: label %d, expected a class number or -1 for unlabelled."
                .formatted(array.name(), row, classes[row]));
      }
      if (classes[row] >= 0) {
        put(row, Integer.toString(classes[row]), "row " + row);
      }
    }
  }

  private void readTable(TableSource table, Pool pool, String idColumn, String labelColumn) {
    readRows(
        table,
        idColumn,
        labelColumn,
        (id, label) -> {
          int row = row(pool, id, table.place());
          if (label != null) {
            put(row, label, table.place());
          }
        });
  }

  /** Passes on every row of a table; the label is null if there is none. */
  private static void readRows(
      TableSource table, String idColumn, String labelColumn, BiConsumer<String, String> receiver) {
    int idAt = TableColumns.find(table, idColumn, PoolReader.ID_COLUMNS);
    int labelAt = TableColumns.find(table, labelColumn, LABEL_COLUMNS);
    if (idAt < 0 || labelAt < 0) {
      if (table.columns().isEmpty()) {
        return; // an empty file of JSON lines has no columns and no labels
      }
      throw new DataException(
          "%s: expected the columns id and label, found %s."
              .formatted(table.name(), TableColumns.list(table.columns())));
    }
    table.use(idAt, labelAt);
    while (table.next()) {
      receiver.accept(TableColumns.required(table, idAt), labelOrNull(table.text(labelAt)));
    }
  }

  /** Returns null for a text that stands for no label. */
  private static String labelOrNull(String label) {
    return label == null || label.isBlank() || label.strip().equalsIgnoreCase("nan")
        ? null
        : label.strip();
  }

  /**
   * Reads a table of ids and labels for a pool that is stored elsewhere.
   *
   * @throws DataException if an item has two labels
   */
  public static Map<String, String> readById(Path file, String idColumn, String labelColumn) {
    if (!Files.exists(file)) {
      throw new DataException(file + ": no such file.");
    }
    if (!Tables.isTable(file)) {
      throw new DataException(file + ": expected .csv, .tsv, .jsonl or .parquet.");
    }
    Map<String, String> labels = new LinkedHashMap<>();
    try (TableSource table = Tables.open(file)) {
      readRows(
          table,
          idColumn,
          labelColumn,
          (id, label) -> putById(labels, id, label, file + ", " + table.place()));
    }
    return labels;
  }

  /** Returns labels from lists; a label may be null. */
  public static Map<String, String> byId(String name, List<String> ids, List<String> labels) {
    Map<String, String> result = new LinkedHashMap<>();
    for (int i = 0; i < ids.size(); i++) {
      if (ids.get(i) == null) {
        throw new DataException(name + ": a label has no id.");
      }
      putById(result, ids.get(i), labelOrNull(labels.get(i)), name);
    }
    return result;
  }

  private static void putById(Map<String, String> labels, String id, String label, String place) {
    String before = label == null ? null : labels.putIfAbsent(id, label);
    if (before != null) {
      throw new DataException(
          ClassNames.areSame(before, label)
              ? "%s: duplicate label of item '%s'.".formatted(place, id)
              : "%s: the label '%s' of item '%s' conflicts with '%s'."
                  .formatted(place, label, id, before));
    }
  }

  private int row(Pool pool, String id, String place) {
    return pool.row(id)
        .orElseThrow(
            () ->
                new DataException(
                    pool.hasIds()
                        ? "%s, %s: the pool has no item '%s'.".formatted(name, place, id)
                        : "%s, %s: '%s' is not a row of the pool, expected 0 to %d (the pool has no ids)."
                            .formatted(name, place, id, pool.size() - 1)));
  }

  private void put(int row, String label, String place) {
    Entry before = entries.putIfAbsent(row, new Entry(label, place));
    if (before != null) {
      throw new DataException(
          ClassNames.areSame(before.label(), label)
              ? "%s, %s: the item already has a label at %s.".formatted(name, place, before.place())
              : "%s, %s: the label '%s' conflicts with '%s' at %s."
                  .formatted(name, place, label, before.label(), before.place()));
    }
  }

  /** As {@link #put}, but accepts equal labels by several annotators. */
  private void putAgain(int row, String label, String place) {
    Entry before = entries.get(row);
    if (before == null || !ClassNames.areSame(before.label(), label)) {
      put(row, label, place);
    }
  }

  /** Number of labelled items. */
  public int size() {
    return entries.size();
  }

  /** The rows of the labelled items, ascending. */
  public int[] rows() {
    return entries.keySet().stream().mapToInt(Integer::intValue).toArray();
  }

  /** Returns the label of an item as given; empty if it has none. */
  public Optional<String> label(int row) {
    return Optional.ofNullable(entries.get(row)).map(Entry::label);
  }

  /** Returns the labels as given, in the order of {@link #rows}. */
  public List<String> values() {
    return entries.values().stream().map(Entry::label).toList();
  }

  /** Returns the position of the i-th of {@link #values} in the input, for messages. */
  String describe(int i) {
    return name + ", " + entries.values().stream().skip(i).findFirst().orElseThrow().place();
  }

  /** Returns the source, for messages. */
  public String name() {
    return name;
  }
}
