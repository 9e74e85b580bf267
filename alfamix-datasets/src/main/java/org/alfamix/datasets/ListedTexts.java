package org.alfamix.datasets;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
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
      rejectColumn("textColumn", columns.text());
      rejectColumn("idColumn", columns.id());
      rejectColumn("labelColumn", columns.label());
      return new ListedTexts(TextFiles.list(path), List.of());
    }
    if (Files.isDirectory(path)) {
      throw new DataException(path + ": found no .txt files in this folder.");
    }
    try (TableSource table = Tables.open(path)) {
      return read(table, columns);
    }
  }

  private static void rejectColumn(String parameter, String column) {
    if (column != null) {
      throw new InvalidRequestException(parameter, "applies only to tables.");
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
    if (columns.id() == null && idAt == textAt) {
      idAt = -1;
    }
    if (textAt == idAt || textAt == labelAt) {
      throw new DataException(
          "%s: column '%s' cannot be the text and %s."
              .formatted(
                  table.name(),
                  table.columns().get(textAt),
                  textAt == labelAt ? "the class" : "the id"));
    }
    List<String> places = new ArrayList<>();
    List<String> texts = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    Map<String, String> seen = new HashMap<>();
    while (table.next()) {
      texts.add(Objects.requireNonNullElse(table.text(textAt), ""));
      places.add(table.place());
      if (columns.id() != null) {
        ids.add(LabelledTable.id(table, idAt, seen));
      } else if (idAt >= 0) {
        ids.add(Objects.requireNonNullElse(table.text(idAt), "").strip());
      }
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
    // A column that happens to be called id need not identify the rows.
    boolean identified = idAt >= 0 && !ids.contains("") && new HashSet<>(ids).size() == ids.size();
    return new ListedTexts(new TextInputs(texts, identified ? ids : places), labels);
  }

  /** Returns the files that are read: the file itself, or the text files of a folder. */
  public static List<Path> files(Path path) {
    return Files.isDirectory(path)
        ? TextFiles.files(path).stream().map(path::resolve).toList()
        : List.of(path);
  }

  /** Returns a digest of the names and contents of all texts. */
  public String digest() {
    MessageDigest digest = Digest.newSha256();
    for (int i = 0; i < inputs.size(); i++) {
      digest.update((inputs.id(i) + "\0").getBytes(StandardCharsets.UTF_8));
      inputs.digest(i, digest);
      digest.update((byte) 0);
    }
    return HexFormat.of().formatHex(digest.digest());
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
