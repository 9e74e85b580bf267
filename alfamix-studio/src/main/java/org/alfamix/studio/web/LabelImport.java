package org.alfamix.studio.web;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;
import org.alfamix.studio.Studio;
import org.alfamix.studio.store.ImportedLabel;
import org.alfamix.studio.store.Project;

/** Imports labels into a project. */
public final class LabelImport {
  private final Studio studio;
  private final Project project;

  public LabelImport(Studio studio, Project project) {
    this.studio = studio;
    this.project = project;
  }

  /**
   * Imports labels from a table with the columns {@code item} (a number) or {@code name}, and
   * {@code label}; new classes are added. All labels are imported or none.
   *
   * @param name the file name, whose extension determines the format
   * @return the number of labels
   */
  public int importLabels(String name, byte[] bytes, String annotator) {
    String ending = name.toLowerCase(Locale.ROOT).endsWith(".jsonl") ? ".jsonl" : ".csv";
    Path file = null;
    try {
      file = Files.createTempFile("alfamix-import", ending);
      Files.write(file, bytes);
      return importLabels(file, annotator);
    } catch (DataException e) {
      throw new InvalidRequestException(e.getMessage().replace(String.valueOf(file), name), e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      delete(file);
    }
  }

  static void delete(Path file) {
    try {
      if (file != null) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      // The operating system cleans up its temporary folder.
    }
  }

  /** Imports labels from a file. */
  public int importLabels(Path file, String annotator) {
    Map<String, Integer> numbers = new HashMap<>();
    studio
        .store()
        .projects()
        .allItems(project.id())
        .forEach(item -> numbers.putIfAbsent(item.name(), item.number()));
    Set<String> classes = new LinkedHashSet<>();
    List<ImportedLabel> labels = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    int size = studio.store().projects().items(project.id());
    try (TableSource table = Tables.open(file)) {
      int label = column(file, table, "label");
      int item = table.columns().indexOf("item");
      int byName = item < 0 ? column(file, table, "name") : -1;
      while (table.next()) {
        String className = Optional.ofNullable(table.text(label)).orElse("").strip();
        if (className.isEmpty()) {
          continue; // unclear, as in an export
        }
        int number =
            item >= 0 ? number(file, table, item, size) : numberOf(file, table, byName, numbers);
        if (!seen.add(number)) {
          throw new DataException(
              "%s, %s: duplicate item %d, expected one label per item."
                  .formatted(file, table.place(), number));
        }
        requireClassName(file, table, className);
        classes.add(className);
        labels.add(new ImportedLabel(number, className));
      }
    }
    if (labels.isEmpty()) {
      throw new DataException(file + ": no labels found.");
    }
    studio.importLabels(project, List.copyOf(classes), labels, annotator);
    return labels.size();
  }

  private static void requireClassName(Path file, TableSource table, String className) {
    try {
      Studio.requireClassName(className);
    } catch (InvalidRequestException e) {
      throw new DataException("%s, %s: %s".formatted(file, table.place(), e.getMessage()), e);
    }
  }

  private static int number(Path file, TableSource table, int column, int size) {
    String text = String.valueOf(table.text(column)).strip();
    if (!text.matches("\\d{1,9}") || Integer.parseInt(text) >= size) {
      throw new DataException(
          "%s, %s: item is '%s', expected 0 to %d.".formatted(file, table.place(), text, size - 1));
    }
    return Integer.parseInt(text);
  }

  private static int numberOf(
      Path file, TableSource table, int column, Map<String, Integer> numbers) {
    Integer number = numbers.get(table.text(column));
    if (number == null) {
      throw new DataException(
          "%s, %s: the project has no item '%s'."
              .formatted(file, table.place(), table.text(column)));
    }
    return number;
  }

  private static int column(Path file, TableSource table, String name) {
    int at = table.columns().indexOf(name);
    if (at < 0) {
      throw new DataException(
          "%s: expected the columns item or name, and label; found %s."
              .formatted(file, String.join(", ", table.columns())));
    }
    return at;
  }
}
