package org.alfamix.studio.source;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.alfamix.datasets.ListedTexts;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.io.table.JsonTree;

/**
 * The source of a project's items, as stored with the project.
 *
 * @param kind the kind of the source
 * @param path a folder, a file, or the name of a data set
 * @param embeddings an array of embeddings, or empty
 * @param column the column with the text or the link, or empty for a usual one
 * @param id the column with the names of the items, or empty
 * @param digest SHA-256 of tables at the creation of the project, or empty: items of tables are
 *     known by their rows, so that changed tables would mix up the labels
 */
public record SourceSpec(
    Kind kind, String path, String embeddings, String column, String id, String digest) {

  public SourceSpec(Kind kind, String path, String embeddings, String column) {
    this(kind, path, embeddings, column, "", "");
  }

  /** Kinds of sources. */
  public enum Kind {
    /** A folder or zip of pictures. */
    IMAGES,
    /** A folder or zip of videos. */
    VIDEOS,
    /** Rows of a table. */
    TABLE,
    /** Texts in a table. */
    TEXTS,
    /** Files or addresses in a table, with embeddings. */
    LINKS,
    /** A named data set. */
    DATA
  }

  public SourceSpec {
    if (kind == Kind.LINKS && embeddings.isEmpty()) {
      throw new InvalidRequestException(
          "Links require embeddings: an .npy file with one row per item.");
    }
  }

  public String toJson() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("kind", kind.name().toLowerCase(Locale.ROOT));
      fields.put("path", path);
      fields.put("embeddings", embeddings);
      fields.put("column", column);
      fields.put("id", id);
      fields.put("digest", digest);
      for (Map.Entry<String, String> field : fields.entrySet()) {
        json.writeStringField(field.getKey(), field.getValue());
      }
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text.toString();
  }

  public static SourceSpec parse(String json) {
    JsonTree tree = JsonTree.parse("studio.db, project source", json);
    String kind = tree.get("kind").text().toUpperCase(Locale.ROOT);
    if (Arrays.stream(Kind.values()).noneMatch(known -> known.name().equals(kind))) {
      throw DataException.unexpected(
          "studio.db", "project source", "one of " + Arrays.toString(Kind.values()), kind);
    }
    return new SourceSpec(
        Kind.valueOf(kind),
        tree.get("path").text(),
        tree.get("embeddings").text(),
        tree.get("column").text(),
        tree.has("id") ? tree.get("id").text() : "",
        tree.get("digest").text());
  }

  /** Web addresses are opened by the browser; files are relative to the table. */
  private static DisplayedItem followed(String link, SourceFolder beside) {
    return link.matches("(?i)[a-z][a-z0-9+.-]*://.*")
        ? new DisplayedItem.Link(link)
        : beside.show(link);
  }

  /**
   * Opens the source for a new project.
   *
   * @param dataFolder the folder of the named data sets
   */
  public ItemSource open(Path dataFolder) {
    return switch (kind) {
      case IMAGES -> new PictureSource(Path.of(path));
      case VIDEOS -> new VideoSource(Path.of(path), dataFolder);
      default -> open(dataFolder, List.of());
    };
  }

  /** Returns the same source with the current digest of its files. */
  public SourceSpec withDigest() {
    return new SourceSpec(kind, path, embeddings, column, id, digestNow());
  }

  private String digestNow() {
    if (kind == Kind.IMAGES || kind == Kind.VIDEOS || kind == Kind.DATA) {
      return "";
    }
    if (Files.isDirectory(Path.of(path))) {
      return ListedTexts.read(Path.of(path), columns()).digest();
    }
    try (InputStream rows = open(path)) {
      if (embeddings.isEmpty()) {
        return Digest.of(rows).sha256();
      }
      try (InputStream features = open(embeddings)) {
        return Digest.of(new SequenceInputStream(rows, features)).sha256();
      }
    } catch (IOException e) {
      throw DataException.unreadable(Path.of(path), e);
    }
  }

  private static InputStream open(String name) {
    Path file = Path.of(name);
    try {
      return Files.newInputStream(file);
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private ListedTexts.Columns columns() {
    return new ListedTexts.Columns(
        column.isEmpty() ? null : column, id.isEmpty() ? null : id, null);
  }

  private void requireUnchanged() {
    if (!digest.isEmpty() && !digest.equals(digestNow())) {
      throw new DataException(
          "%s has changed since the project was created; its labels may belong to different rows."
              .formatted(path));
    }
  }

  /**
   * Opens the source for an existing project.
   *
   * @param known the names of its items, in order
   */
  public ItemSource open(Path dataFolder, List<String> known) {
    requireUnchanged();
    return switch (kind) {
      case IMAGES -> new PictureSource(Path.of(path), known);
      case VIDEOS -> new VideoSource(Path.of(path), dataFolder, known);
      case TABLE -> new TableItems(Path.of(path));
      case TEXTS ->
          embeddings.isEmpty()
              ? ListedItems.texts(Path.of(path), columns(), dataFolder)
              : ListedItems.rows(
                  Path.of(path), columns(), embeddings, DisplayedItem.Text::new, dataFolder);
      case LINKS -> {
        SourceFolder beside = new SourceFolder(Path.of(path).toAbsolutePath().getParent());
        yield ListedItems.rows(
            Path.of(path), columns(), embeddings, link -> followed(link, beside), dataFolder);
      }
      case DATA -> new DatasetItems(path, dataFolder);
    };
  }
}
