package org.alfamix.studio.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
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
import org.alfamix.studio.Studio;
import org.alfamix.studio.source.DisplayedItem;
import org.alfamix.studio.source.ItemSource;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Change;
import org.alfamix.studio.store.Item;
import org.alfamix.studio.store.Label;
import org.alfamix.studio.store.Project;

/** Exports the labels of a project. */
public final class LabelExport {
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

  /** The field of a task with the name of the item, which imports recognize. */
  private static final String LABEL_STUDIO_ID = "alfamix_id";

  private final Studio studio;
  private final Project project;

  public LabelExport(Studio studio, Project project) {
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

  /** The texts of a project; absent for other projects, and if the source is missing by now. */
  private record TextSource(Optional<ItemSource> source) implements AutoCloseable {

    static TextSource of(Studio studio, Project project) {
      SourceSpec spec = SourceSpec.parse(project.source());
      if (spec.kind() != SourceSpec.Kind.TEXTS && spec.kind() != SourceSpec.Kind.DATA) {
        return new TextSource(Optional.empty());
      }
      try {
        ItemSource source = studio.source(project);
        if (spec.kind() == SourceSpec.Kind.TEXTS || source.hasTexts()) {
          return new TextSource(Optional.of(source));
        }
        source.close();
      } catch (DataException e) {
        // Labels can be exported even if the texts were moved or changed.
      }
      return new TextSource(Optional.empty());
    }

    boolean isPresent() {
      return source.isPresent();
    }

    String text(int item) {
      return source.orElseThrow().show(item) instanceof DisplayedItem.Text text ? text.text() : "";
    }

    @Override
    public void close() {
      source.ifPresent(ItemSource::close);
    }
  }

  private void csv(OutputStream out) throws IOException {
    Writer writer = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    try (TextSource texts = TextSource.of(studio, project)) {
      writer.write(
          "item,name,label,unclear,test,annotator,at" + (texts.isPresent() ? ",text\n" : "\n"));
      for (Row row : rows()) {
        writer.write(
            String.join(
                ",",
                Integer.toString(row.item.number()),
                Csv.quoted(row.item.name()),
                Csv.quoted(row.label),
                row.label.isEmpty() ? "yes" : "no",
                row.item.held() ? "yes" : "no",
                Csv.quoted(row.annotator),
                row.at));
        writer.write(
            texts.isPresent() ? "," + Csv.quoted(texts.text(row.item.number())) + "\n" : "\n");
      }
    }
    writer.flush();
  }

  /**
   * A line of the export as JSON lines.
   *
   * @param text null if items are not texts
   */
  private record ExportedLabel(
      int item,
      String name,
      String label,
      boolean unclear,
      boolean test,
      String annotator,
      String at,
      @JsonInclude(JsonInclude.Include.NON_NULL) String text) {}

  private void jsonLines(OutputStream out) throws IOException {
    try (TextSource texts = TextSource.of(studio, project)) {
      for (Row row : rows()) {
        ExportedLabel exported =
            new ExportedLabel(
                row.item.number(),
                row.item.name(),
                row.label,
                row.label.isEmpty(),
                row.item.held(),
                row.annotator,
                row.at,
                texts.isPresent() ? texts.text(row.item.number()) : null);
        out.write((JsonAnswer.text(exported) + "\n").getBytes(StandardCharsets.UTF_8));
      }
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
        if (source.hasTexts()) {
          json.writeStringField(LABEL_STUDIO_ID, row.item.name());
        }
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
}
