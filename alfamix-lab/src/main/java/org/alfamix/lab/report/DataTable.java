package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A table for people and programs.
 *
 * @param id a short name, which is also a file name
 * @param note an explanation of the columns; may be empty
 */
record DataTable(
    String id, String title, String note, List<String> columns, List<List<Cell>> rows) {

  DataTable(String id, String title, String note, List<String> columns) {
    this(id, title, note, unique(columns), new ArrayList<>());
  }

  /** Makes column names unique, because a method may have the name of another column. */
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

  /** Returns the table for programs, in which a second number of a cell has its own column. */
  DataTable forPrograms() {
    List<Optional<String>> seconds = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      int column = c;
      Optional<String> second =
          rows.stream()
              .map(row -> row.get(column).suffix())
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
