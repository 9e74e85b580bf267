package org.alfamix.select;

import java.util.List;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;

/** Finds columns of a table by name. */
final class TableColumns {
  private TableColumns() {}

  /**
   * Returns the position of a column.
   *
   * @param named the name that the user gave, which must exist; null to look for common names
   * @return its position, or −1 if there is none
   */
  static int find(TableSource table, String named, List<String> usual) {
    if (named != null) {
      return table.requireColumn(named);
    }
    return usual.stream()
        .mapToInt(table.columns()::indexOf)
        .filter(at -> at >= 0)
        .findFirst()
        .orElse(-1);
  }

  /** Returns the text of a column that must not be empty. */
  static String required(TableSource table, int column) {
    String text = table.text(column);
    if (text == null || text.isBlank()) {
      throw new DataException(
          "%s, %s: column %s is empty."
              .formatted(table.name(), table.place(), table.columns().get(column)));
    }
    return text;
  }

  /** Joins up to ten names. */
  static String list(List<String> columns) {
    return columns.size() <= 10
        ? String.join(", ", columns)
        : String.join(", ", columns.subList(0, 10)) + ", … (" + columns.size() + " in all)";
  }
}
