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
    this(id, title, note, List.copyOf(columns), new ArrayList<>());
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
}
