package org.alfamix.datasets;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.datasets.DatasetEntry.Location;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.table.Tables;

/**
 * Reads data sets: those that have a name, which are downloaded where they are missing, and your
 * own from files and folders.
 *
 * @param folder where sets that have a name are kept
 * @param listener hears of downloads
 */
public record DatasetReader(Path folder, DownloadListeners listener) {
  /** Keys that tell how data of your own are read; settings and checkpoints use them, too. */
  public static final String LABEL = "label-column";

  public static final String ID = "id-column";
  public static final String IGNORED = "ignore-columns";
  public static final String SIDE = "image-size";
  public static final String BACKBONE = "backbone";
  public static final String FRAMES = "clip-frames";
  public static final String STRIDE = "clip-stride";
  public static final String FRAME_POOLING = "frame-pooling";
  public static final String SOURCES = "source-pattern";

  private static final int DEFAULT_SIDE = 224;
  private static final int MOST_SIDE = 4096;
  private static final List<String> OF_VIDEOS = List.of(FRAMES, STRIDE, FRAME_POOLING, SOURCES);

  /**
   * Reads a set by its name, which may be downloaded first, or from a path.
   *
   * @param reading how data of your own are read, by the keys above
   * @throws InvalidRequestException naming the key that makes no sense
   * @throws DataException where the data are missing or not as they should be
   */
  public Dataset read(String data, Map<String, String> reading) {
    var entry = Datasets.named(data);
    if (entry.isPresent()) {
      requireNone("data of your own, not for " + data, reading, LABEL, ID, IGNORED, SOURCES);
      if (Datasets.hasVideos(entry.get())) {
        return withClips(named(entry.get()), reading);
      }
      requireNone("videos, not for " + data, reading, FRAMES, STRIDE, FRAME_POOLING);
      if (!reading.containsKey(BACKBONE)) {
        requireNone("data of your own, not for " + data, reading, SIDE);
      }
      return named(entry.get());
    }
    Path path = path(data);
    if (data.isBlank() || !Files.exists(path)) {
      throw new DataException(
          "'%s' is neither a data set that has a name nor a file.".formatted(data));
    }
    if (isVideoFolder(path, reading)) {
      requireNone("a table", reading, LABEL, ID, IGNORED);
      Dataset videos =
          VideoFolder.open(path, folder.resolve("unpacked"))
              .read(data, Optional.ofNullable(reading.get(SOURCES)));
      return withClips(videos, reading);
    }
    requireNone("videos", reading, FRAMES, STRIDE, FRAME_POOLING, SOURCES);
    if (ImageFolder.isOne(path)) {
      requireNone("a table", reading, LABEL, ID, IGNORED);
      return ImageFolder.open(path).read(data, side(reading), ImageFolder.usualMemory());
    }
    if (Tables.isTable(path)) {
      requireNone("images", reading, SIDE);
      List<String> ignored =
          reading.containsKey(IGNORED) ? Arrays.asList(reading.get(IGNORED).split(",")) : List.of();
      return LabelledTable.read(
          path, new LabelledTable.Columns(reading.get(LABEL), reading.get(ID), ignored));
    }
    throw new DataException(
        path
            + ": expected a table (.csv, .tsv, .jsonl, .parquet), or a folder or .zip with a folder"
            + " of images or videos per class.");
  }

  /** GIFs alone are images, unless somebody asks for clips. */
  private static boolean isVideoFolder(Path path, Map<String, String> reading) {
    return VideoFolder.isOne(path)
        || ImageFolder.isOne(path) && OF_VIDEOS.stream().anyMatch(reading::containsKey);
  }

  private static Dataset withClips(Dataset videos, Map<String, String> reading) {
    ClipOptions usual = ClipOptions.PAPER;
    return videos.withClips(
        new ClipOptions(
            integer(reading, FRAMES, usual.frames()),
            integer(reading, STRIDE, usual.stride()),
            side(reading)));
  }

  /** Returns the whole number under a key. */
  public static int integer(Map<String, String> reading, String key, int otherwise) {
    String text = reading.getOrDefault(key, String.valueOf(otherwise));
    if (!text.matches("\\d{1,9}")) {
      throw new InvalidRequestException(key, "is '%s', expected a whole number.".formatted(text));
    }
    return Integer.parseInt(text);
  }

  /** Returns the height and width that images are brought to. */
  public static int side(Map<String, String> reading) {
    String text = reading.getOrDefault(SIDE, String.valueOf(DEFAULT_SIDE));
    try {
      int side = Integer.parseInt(text);
      if (side >= 1 && side <= MOST_SIDE) {
        return side;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    throw new InvalidRequestException(SIDE, "is %s, expected 1 to %d.".formatted(text, MOST_SIDE));
  }

  /** Returns a path. */
  public static Path path(String data) {
    try {
      return Path.of(data);
    } catch (InvalidPathException e) {
      throw new DataException("'%s' is no name of a file.".formatted(data), e);
    }
  }

  private static void requireNone(String what, Map<String, String> reading, String... keys) {
    for (String key : keys) {
      if (reading.containsKey(key)) {
        throw new InvalidRequestException(key, "is for %s.".formatted(what));
      }
    }
  }

  private Dataset named(DatasetEntry entry) {
    if (!entry.isReadable()) {
      throw new DataException(
          entry.name() + ": this version can keep and check it, but cannot read it yet.");
    }
    return Datasets.read(entry, fetch(entry));
  }

  /** Finds a set, or downloads it. */
  public Location fetch(Fetchable entry) {
    Optional<Location> found = entry.find(folder);
    if (found.isPresent()) {
      return found.get();
    }
    try (DownloadListeners.Download download = listener.begin(entry.name())) {
      return new Fetcher(folder, download).fetch(entry);
    }
  }
}
