package org.alfamix.cli;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.LabelledTable;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;

/**
 * The labelled items of a data set's pool, read from a table.
 *
 * @param items rows of the pool, ascending
 * @param labels their classes
 */
record PoolLabels(int[] items, int[] labels) {

  static PoolLabels read(Path file, Dataset dataset) {
    TreeMap<Integer, Integer> labels = new TreeMap<>();
    try (TableSource table = Tables.open(file)) {
      int idAt = table.columns().indexOf("id");
      int itemAt = idAt < 0 ? table.columns().indexOf("item") : -1;
      int labelAt = table.columns().indexOf("label");
      if ((idAt < 0 && itemAt < 0) || labelAt < 0) {
        throw new DataException(
            "%s: expected columns id (or item) and label, found %s."
                .formatted(file, String.join(", ", table.columns())));
      }
      Map<String, Integer> rows = itemAt < 0 ? Map.of() : rowsByItem(dataset.pool().inputs());
      while (table.next()) {
        String label = table.text(labelAt);
        if (!LabelledTable.isKnown(label)) {
          continue; // unlabelled
        }
        int item =
            idAt >= 0
                ? itemByRow(table, idAt, dataset.pool().size())
                : itemByName(table, itemAt, rows, dataset);
        int number = dataset.classNames().indexOf(label.strip());
        if (number < 0) {
          throw new DataException(
              "%s, %s: unknown class '%s' of %s; expected one of %s."
                  .formatted(
                      file, table.place(), label, dataset.name(), shortened(dataset.classNames())));
        }
        Integer previous = labels.put(item, number);
        if (previous != null && previous != number) {
          throw new DataException(
              "%s, %s: item %d has the label '%s', but '%s' in an earlier row."
                  .formatted(file, table.place(), item, label, dataset.classNames().get(previous)));
        }
      }
    }
    if (labels.isEmpty()) {
      throw new DataException(file + ": expected at least one label, found none.");
    }
    return new PoolLabels(
        labels.keySet().stream().mapToInt(Integer::intValue).toArray(),
        labels.values().stream().mapToInt(Integer::intValue).toArray());
  }

  /** Returns the rows of items by their names, as {@code embed} writes them to items.csv. */
  private static Map<String, Integer> rowsByItem(Inputs inputs) {
    Map<String, Integer> rows = new HashMap<>();
    for (int i = 0; i < inputs.size(); i++) {
      rows.put(inputs.id(i), i);
    }
    return rows;
  }

  private static int itemByName(
      TableSource table, int column, Map<String, Integer> rows, Dataset dataset) {
    String name = String.valueOf(table.text(column)).strip();
    Integer row = rows.get(name);
    if (row == null) {
      throw new DataException(
          "%s, %s: item '%s' is not in the pool of %s."
              .formatted(table.name(), table.place(), name, dataset.name()));
    }
    return row;
  }

  private static int itemByRow(TableSource table, int column, int size) {
    String text = table.text(column) == null ? "" : table.text(column).strip();
    if (text.matches("\\d{1,9}") && Integer.parseInt(text) < size) {
      return Integer.parseInt(text);
    }
    throw new DataException(
        "%s, %s: id '%s', expected a row of the pool, 0 to %d."
            .formatted(table.name(), table.place(), text, size - 1));
  }

  private static String shortened(List<String> names) {
    return names.size() <= 10
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, 10)) + ", … (" + names.size() + " in total)";
  }
}
