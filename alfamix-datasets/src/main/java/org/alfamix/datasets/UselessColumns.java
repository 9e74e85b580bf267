package org.alfamix.datasets;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Recognizes columns of a table that say nothing about the class: constants, and identifiers, which
 * are integers that differ in every row of a column named like one. Rows are added one by one.
 */
public final class UselessColumns {
  private static final Pattern ID_NAME =
      Pattern.compile(
          "|#|nr|no|index|uuid|guid|row|(?i:id|(row|line|item)[ _.-]?(id|nr|no|number|index))"
              + "|.*[_ .-](?i:id)|.*[a-z]I[dD]");

  private static final Pattern INTEGER = Pattern.compile("[+-]?\\d{1,18}(\\.0*)?");

  private final List<Column> columns = new ArrayList<>();

  private static final class Column {
    private final String name;
    private String first;
    private boolean constant = true;

    /** The values so far; null if the column is no identifier. */
    private Set<String> distinct;

    Column(String name) {
      this.name = name;
      this.distinct = ID_NAME.matcher(name.strip()).matches() ? new HashSet<>() : null;
    }

    void add(String value) {
      if (first == null) {
        first = value;
      }
      constant &= value.equals(first);
      if (distinct != null && !(INTEGER.matcher(value).matches() && distinct.add(value))) {
        distinct = null;
      }
    }
  }

  public UselessColumns(List<String> names) {
    names.forEach(name -> columns.add(new Column(name)));
  }

  /**
   * Adds a value of the next row.
   *
   * @param column the place of the column in the names
   * @param value the value as written in the table, or null
   */
  public void add(int column, String value) {
    columns.get(column).add(value == null ? "" : value.strip());
  }

  /** Returns why a column is useless, as a sentence; empty if it may be useful. */
  public Optional<String> reason(int column) {
    Column each = columns.get(column);
    if (each.constant) {
      return Optional.of(
          "Column '%s' is not used as a feature, because it has the same value in all rows."
              .formatted(each.name));
    }
    return each.distinct == null
        ? Optional.empty()
        : Optional.of(
            "Column '%s' is not used as a feature, because it looks like an identifier."
                .formatted(each.name));
  }
}
