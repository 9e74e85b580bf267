package org.alfamix.studio.web;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
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
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.table.Csv;
import org.alfamix.io.table.TableSource;
import org.alfamix.io.table.Tables;
import org.alfamix.studio.Studio;
import org.alfamix.studio.source.DisplayedItem;
import org.alfamix.studio.source.ItemSource;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.ImportedLabel;
import org.alfamix.studio.store.Item;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.Project;

/** Export and import of labels. */
public final class Transfer {
  /** An export format. */
  public enum Format {
    CSV("csv", "text/csv; charset=utf-8"),
    JSONL("jsonl", "application/jsonl; charset=utf-8"),
    LABEL_STUDIO("json", "application/json"),
    FOLDERS("zip", "application/zip");

    private final String ending;
    private final String type;

    Format(String ending, String type) {
      this.ending = ending;
      this.type = type;
    }

    String ending() {
      return ending;
    }

    String type() {
      return type;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Returns the format of this name.
     *
     * @throws InvalidRequestException if it is unknown; the message lists the known ones
     */
    public static Format named(String name) {
      for (Format format : values()) {
        if (format.toString().equals(name)) {
          return format;
        }
      }
      throw new InvalidRequestException(
          "format", "is '%s', expected csv, jsonl, label-studio or folders.".formatted(name));
    }
  }

  private final Studio studio;
  private final Project project;

  public Transfer(Studio studio, Project project) {
    this.studio = studio;
    this.project = project;
  }

  /** An answered item. */
  private record Row(Item item, String label, String annotator, String at) {}

  private List<Row> rows() {
    // Labels are read first: items and classes that are added in between have no labels yet.
    Map<Integer, Label> labels = studio.store().ledger().labels(project.id());
    Map<Long, String> names = new HashMap<>();
    studio
        .store()
        .projects()
        .classes(project.id())
        .forEach(each -> names.put(each.id(), each.name()));
    Map<Long, Change> changes = new HashMap<>();
    studio
        .store()
        .ledger()
        .changes(project.id())
        .forEach(change -> changes.put(change.id(), change));
    List<Row> rows = new ArrayList<>();
    for (Item item : studio.store().projects().allItems(project.id())) {
      Label label = labels.get(item.number());
      if (label != null) {
        rows.add(
            new Row(
                item,
                label.classId().isPresent() ? names.get(label.classId().getAsLong()) : "",
                changes.get(label.change()).annotator(),
                changes.get(label.change()).at().toString()));
      }
    }
    return rows;
  }

  /** Writes all labels; unclear items have an empty label. */
  public void export(Format format, OutputStream out) throws IOException {
    switch (format) {
      case CSV -> csv(out);
      case JSONL -> jsonLines(out);
      case LABEL_STUDIO -> labelStudio(out);
      case FOLDERS -> folders(out);
    }
  }

  private void csv(OutputStream out) throws IOException {
    Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    writer.write("item,name,label,unclear,test,annotator,at\n");
    for (Row row : rows()) {
      writer.write(
          "%d,%s,%s,%s,%s,%s,%s%n"
              .formatted(
                  row.item.number(),
                  Csv.quoted(row.item.name()),
                  Csv.quoted(row.label),
                  row.label.isEmpty() ? "yes" : "no",
                  row.item.held() ? "yes" : "no",
                  Csv.quoted(row.annotator),
                  row.at)
              .replace(System.lineSeparator(), "\n"));
    }
    writer.flush();
  }

  /** A line of the export as JSON lines. */
  private record ExportedLabel(
      int item,
      String name,
      String label,
      boolean unclear,
      boolean test,
      String annotator,
      String at) {}

  private void jsonLines(OutputStream out) throws IOException {
    for (Row row : rows()) {
      String line =
          JsonAnswer.text(
              new ExportedLabel(
                  row.item.number(),
                  row.item.name(),
                  row.label,
                  row.label.isEmpty(),
                  row.item.held(),
                  row.annotator,
                  row.at));
      out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Tasks with a choice, as Label Studio imports them. */
  private void labelStudio(OutputStream out) throws IOException {
    try (ItemSource source = studio.source(project);
        JsonGenerator json =
            new JsonFactory()
                .createGenerator(out)
                .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)) {
      json.writeStartArray();
      for (Row row : rows()) {
        boolean clip = source.isClip(row.item.number());
        boolean picture = source.isPicture(row.item.number());
        String to = clip ? "video" : picture ? "image" : "text";
        json.writeStartObject();
        json.writeNumberField("id", row.item.number() + 1);
        json.writeObjectFieldStart("data");
        json.writeStringField(
            to,
            clip || picture ? row.item.name() : content(source.show(row.item.number()), row.item));
        json.writeEndObject();
        json.writeArrayFieldStart("annotations");
        if (!row.label.isEmpty()) {
          json.writeStartObject();
          json.writeStringField("created_at", row.at);
          json.writeArrayFieldStart("result");
          json.writeStartObject();
          json.writeStringField("from_name", "label");
          json.writeStringField("to_name", to);
          json.writeStringField("type", "choices");
          json.writeObjectFieldStart("value");
          json.writeArrayFieldStart("choices");
          json.writeString(row.label);
          json.writeEndArray();
          json.writeEndObject();
          json.writeEndObject();
          json.writeEndArray();
          json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
      }
      json.writeEndArray();
    }
  }

  private static String content(DisplayedItem shown, Item item) {
    if (shown instanceof DisplayedItem.Text text) {
      return text.text();
    }
    if (shown instanceof DisplayedItem.Link link) {
      return link.address();
    }
    return shown instanceof DisplayedItem.Fields fields ? fields.values().toString() : item.name();
  }

  /**
   * Writes a folder per class with the unchanged files; unreadable items are listed in a file at
   * the end.
   */
  private void folders(OutputStream out) throws IOException {
    ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8);
    Set<String> taken = new LinkedHashSet<>();
    Map<String, String> folderOf = new HashMap<>();
    List<String> unreadable = new ArrayList<>();
    try (ItemSource source = studio.source(project)) {
      for (Row row : rows()) {
        if (row.label.isEmpty()) {
          continue;
        }
        try {
          Optional<Path> original = source.file(row.item.number());
          DisplayedItem shown = original.isPresent() ? null : source.show(row.item.number());
          if (!folderOf.containsKey(row.label)) {
            folderOf.put(row.label, folder(folderOf, row.label));
          }
          String folder = folderOf.get(row.label);
          zip.putNextEntry(new ZipEntry(unique(taken, folder + "/" + file(shown, row.item))));
          if (original.isPresent()) {
            Files.copy(original.get(), zip);
          } else {
            zip.write(
                shown instanceof DisplayedItem.Picture picture
                    ? picture.bytes()
                    : content(shown, row.item).getBytes(StandardCharsets.UTF_8));
          }
          zip.closeEntry();
        } catch (DataException e) {
          unreadable.add("%d,%s: %s".formatted(row.item.number(), row.label, e.getMessage()));
        }
      }
    }
    if (!unreadable.isEmpty()) {
      zip.putNextEntry(new ZipEntry("unreadable.txt"));
      zip.write(String.join("\n", unreadable).getBytes(StandardCharsets.UTF_8));
      zip.closeEntry();
    }
    zip.finish();
  }

  /** Two classes never share a folder, even on file systems that ignore case. */
  private static String folder(Map<String, String> others, String label) {
    Set<String> taken = new HashSet<>();
    others.values().forEach(name -> taken.add(name.toLowerCase(Locale.ROOT)));
    String name = safe(label);
    for (int i = 2; taken.contains(name.toLowerCase(Locale.ROOT)); i++) {
      name = safe(label) + "-" + i;
    }
    return name;
  }

  private static String file(DisplayedItem shown, Item item) {
    String last = safe(item.name().substring(item.name().lastIndexOf('/') + 1));
    if (shown == null) {
      return last; // an item that is a file
    }
    String ending =
        shown instanceof DisplayedItem.Picture picture
            ? picture.type().substring("image/".length()).replace("jpeg", "jpg")
            : "txt";
    boolean has = last.toLowerCase(Locale.ROOT).matches(".*\\.(png|jpe?g|webp|txt)");
    return has ? last : last + "." + ending;
  }

  /** Returns a name that stays inside the folder when the zip file is unpacked. */
  private static String safe(String name) {
    String plain = name.replaceAll("[\\\\/:*?\"<>|\\p{Cntrl}]", "_").strip();
    return plain.isEmpty() || plain.matches("\\.+") ? "_" : plain;
  }

  private static String unique(Set<String> taken, String name) {
    String free = name;
    for (int i = 2; !taken.add(free); i++) {
      int dot = name.lastIndexOf('.');
      free = name.substring(0, dot) + "-" + i + name.substring(dot);
    }
    return free;
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
          "%s, %s: no item is called '%s'.".formatted(file, table.place(), table.text(column)));
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
