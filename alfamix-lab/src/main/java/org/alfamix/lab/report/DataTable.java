package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A table, to be shown or to be read by programs.
 *
 * @param id a short name, as of a file
 * @param note what its columns mean, where that needs saying
 */
record DataTable(
    String id, String title, String note, List<String> columns, List<List<Cell>> rows) {

  DataTable(String id, String title, String note, List<String> columns) {
    this(id, title, note, unique(columns), new ArrayList<>());
  }

  /** A method may be called as a column is. */
  private static List<String> unique(List<String> columns) {
    List<String> unique = new ArrayList<>();
    for (String column : columns) {
      String name = column;
      for (int i = 2; unique.contains(name); i++) {
        name = column + " (" + i + ")";
      }
      unique.add(name);
    }
    return List.copyOf(unique);
  }

  DataTable add(Cell... cells) {
    return add(List.of(cells));
  }

  DataTable add(List<Cell> cells) {
    if (cells.size() != columns.size()) {
      throw new IllegalArgumentException(
          "%s: %d cells for %d columns.".formatted(id, cells.size(), columns.size()));
    }
    rows.add(List.copyOf(cells));
    return this;
  }

  boolean isNumeric(int column) {
    return rows.stream().anyMatch(row -> row.get(column).isNumber());
  }

  /** The same for programs: where people read two numbers in one cell, these have two columns. */
  DataTable forPrograms() {
    List<Optional<String>> seconds = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      int column = c;
      Optional<String> second =
          rows.stream()
              .map(row -> row.get(column).beside())
              .filter(name -> !name.isEmpty())
              .findFirst();
      seconds.add(second);
      names.add(columns.get(c));
      second.ifPresent(name -> names.add(columns.get(column) + name));
    }
    DataTable table = new DataTable(id, title, note, names);
    for (List<Cell> row : rows) {
      List<Cell> cells = new ArrayList<>();
      for (int c = 0; c < row.size(); c++) {
        cells.add(row.get(c));
        if (seconds.get(c).isPresent()) {
          cells.add(Cell.number(row.get(c).second(), 3));
        }
      }
      table.add(cells);
    }
    return table;
  }
}
