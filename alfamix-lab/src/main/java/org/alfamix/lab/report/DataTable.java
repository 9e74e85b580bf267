package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.List;

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

  /**
   * The same for programs: where people read a mean and its deviation in one column, these have
   * two.
   */
  DataTable forPrograms() {
    List<Boolean> spreads = new ArrayList<>();
    List<String> names = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      int column = c;
      boolean spread = rows.stream().anyMatch(row -> !Double.isNaN(row.get(column).deviation()));
      spreads.add(spread);
      names.add(columns.get(c));
      if (spread) {
        names.add(columns.get(c) + " deviation");
      }
    }
    DataTable table = new DataTable(id, title, note, names);
    for (List<Cell> row : rows) {
      List<Cell> cells = new ArrayList<>();
      for (int c = 0; c < row.size(); c++) {
        cells.add(row.get(c));
        if (spreads.get(c)) {
          cells.add(Cell.number(row.get(c).deviation(), 3));
        }
      }
      table.add(cells);
    }
    return table;
  }
}
