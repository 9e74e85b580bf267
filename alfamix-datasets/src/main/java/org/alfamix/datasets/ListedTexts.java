package org.alfamix.datasets;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;

/**
 * All texts of a table, of a {@code .txt} file with a text per line, or of a folder of {@code .txt}
 * files. Nothing is held out.
 *
 * @param labels the class of each text, null if it is unknown; empty without a column of classes
 */
public record ListedTexts(TextInputs inputs, List<String> labels) {
  /** Common names of a column of texts, the most likely first. */
  private static final List<String> TEXT_COLUMNS =
      List.of("text", "body", "message", "content", "question", "sentence", "comment", "review");

  /** A common name of a column of ids. */
  private static final String ID_COLUMN = "id";

  /**
   * Names of columns of a table; null for a usual one.
   *
   * @param label the column of classes; null if they are not needed
   */
  public record Columns(String text, String id, String label) {}

  /**
   * Reads texts.
   *
   * @throws DataException if a column does not exist, an id occurs twice, or all texts are empty
   */
  public static ListedTexts read(Path path, Columns columns) {
    if (TextFiles.areTexts(path)) {
      return new ListedTexts(TextFiles.list(path), List.of());
    }
    if (Files.isDirectory(path)) {
      throw new DataException(path + ": found no .txt files in this folder.");
    }
    try (TableSource table = Tables.open(path)) {
      return read(table, columns);
    }
  }

  private static ListedTexts read(TableSource table, Columns columns) {
    int textAt =
        columns.text() == null ? usualTextColumn(table) : table.requireColumn(columns.text());
    int idAt =
        columns.id() == null
            ? table.columns().indexOf(ID_COLUMN)
            : table.requireColumn(columns.id());
    int labelAt = columns.label() == null ? -1 : table.requireColumn(columns.label());
    if (idAt == textAt) {
      idAt = -1;
    }
    List<String> texts = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    Map<String, String> seen = new HashMap<>();
    while (table.next()) {
      texts.add(Objects.requireNonNullElse(table.text(textAt), ""));
      ids.add(idAt < 0 ? table.place() : LabelledTable.id(table, idAt, seen));
      if (labelAt >= 0) {
        String label = table.text(labelAt);
        labels.add(LabelledTable.isKnown(label) ? label.strip() : null);
      }
    }
    if (texts.stream().allMatch(String::isBlank)) {
      throw new DataException(
          texts.isEmpty()
              ? table.name() + ": the table has no rows."
              : "%s: all texts in column '%s' are empty."
                  .formatted(table.name(), table.columns().get(textAt)));
    }
    return new ListedTexts(new TextInputs(texts, ids), labels);
  }

  /** Returns a column with a usual name; features of the first one, often an id, are useless. */
  private static int usualTextColumn(TableSource table) {
    List<String> names = table.columns();
    if (names.size() == 1) {
      return 0;
    }
    return TEXT_COLUMNS.stream()
        .mapToInt(names::indexOf)
        .filter(at -> at >= 0)
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                        "%s: no column '%s'; the columns are %s."
                            .formatted(
                                table.name(),
                                String.join("' or '", TEXT_COLUMNS),
                                String.join(", ", names)))
                    .advise("name the column with the texts", "textColumn"));
  }
}
