package org.alfamix.studio.source;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.RowInputs;
import org.alfamix.datasets.Scaling;
import org.alfamix.datasets.UselessColumns;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;
import org.alfamix.math.FloatMatrix;

/**
 * Rows of a table: pages show all columns; models use the columns that have a number in every row,
 * except for identifiers and constants.
 */
final class TableItems implements ItemSource {
  private final List<String> names = new ArrayList<>();
  private final List<Map<String, String>> rows = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private final Inputs inputs;

  TableItems(Path file) {
    List<String> columns;
    try (TableSource table = Tables.open(file)) {
      columns = table.columns();
      while (table.next()) {
        Map<String, String> row = new LinkedHashMap<>();
        for (int c = 0; c < columns.size(); c++) {
          String text = table.text(c);
          row.put(columns.get(c), text == null ? "" : text);
        }
        rows.add(row);
        names.add(table.place());
      }
    }
    List<String> numeric = columns.stream().filter(this::isNumeric).toList();
    if (rows.isEmpty() || numeric.isEmpty()) {
      throw new DataException(
          "%s: %s; expected rows with numeric columns."
              .formatted(file, rows.isEmpty() ? "no rows" : "no numeric column"));
    }
    numeric = useful(file, numeric);
    FloatMatrix values = FloatMatrix.zeros(rows.size(), numeric.size());
    for (int i = 0; i < rows.size(); i++) {
      for (int d = 0; d < numeric.size(); d++) {
        values.set(i, d, Float.parseFloat(rows.get(i).get(numeric.get(d)).strip()));
      }
    }
    inputs = new RowInputs(InputShape.table(numeric.size()), values, names);
  }

  /** Returns the columns that may say something about the class; all if none does. */
  private List<String> useful(Path file, List<String> numeric) {
    UselessColumns useless = new UselessColumns(numeric);
    for (Map<String, String> row : rows) {
      for (int c = 0; c < numeric.size(); c++) {
        useless.add(c, row.get(numeric.get(c)));
      }
    }
    List<String> useful = new ArrayList<>();
    List<String> reasons = new ArrayList<>();
    for (int c = 0; c < numeric.size(); c++) {
      useless.reason(c).ifPresentOrElse(reasons::add, addTo(useful, numeric.get(c)));
    }
    if (useful.isEmpty()) {
      return numeric;
    }
    reasons.forEach(reason -> remarks.add(file.getFileName() + ": " + reason));
    return useful;
  }

  private static Runnable addTo(List<String> names, String name) {
    return () -> names.add(name);
  }

  @Override
  public List<String> remarks() {
    return List.copyOf(remarks);
  }

  private boolean isNumeric(String column) {
    return rows.stream().allMatch(row -> isNumber(row.get(column)));
  }

  private static boolean isNumber(String text) {
    try {
      return Float.isFinite(Float.parseFloat(text.strip()));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  @Override
  public List<String> names() {
    return List.copyOf(names);
  }

  @Override
  public DisplayedItem show(int item) {
    return new DisplayedItem.Fields(rows.get(item));
  }

  @Override
  public ModelInput modelInput() {
    return new ModelInput.Raw(inputs, Scaling.standardizing(inputs));
  }
}
