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
 * Reads named data sets, which are downloaded if necessary, and your own data from files and
 * folders.
 *
 * @param folder the folder of named data sets
 * @param listener creates the listeners of downloads
 */
public record DatasetReader(Path folder, DownloadListeners listener) {
  /** Keys of the options for reading your own data; settings and checkpoints also use them. */
  public static final String LABEL = "label-column";

  public static final String ID = "id-column";
  public static final String IGNORED = "ignore-columns";
  public static final String TEXT = "text-column";
  public static final String NUMBERS = "number-columns";
  public static final String TEXT_POOLING = "text-pooling";
  public static final String TEXT_NORMALIZE = "text-normalize";
  public static final String TEXT_PREFIX = "text-prefix";
  public static final String MAX_TOKENS = "max-tokens";
  public static final String LONG_TEXTS = "long-texts";
  public static final String SIDE = "image-size";
  public static final String BACKBONE = "backbone";
  public static final String FRAMES = "clip-frames";
  public static final String STRIDE = "clip-stride";
  public static final String FRAME_POOLING = "frame-pooling";
  public static final String SOURCES = "source-pattern";

  private static final int DEFAULT_SIDE = 224;
  private static final int MAX_SIDE = 4096;
  private static final List<String> VIDEO_KEYS = List.of(FRAMES, STRIDE, FRAME_POOLING, SOURCES);

  /**
   * Reads a data set by its name, downloading it if necessary, or from a path.
   *
   * @param reading the options for reading your own data, by the keys above
   * @throws InvalidRequestException if a key does not apply to the data; it names the key
   * @throws DataException if the data are missing or invalid
   */
  public Dataset read(String data, Map<String, String> reading) {
    var entry = Datasets.named(data);
    if (entry.isPresent()) {
      rejectKeys(
          "your own data, not to " + data, reading, LABEL, ID, IGNORED, TEXT, NUMBERS, SOURCES);
      if (Datasets.hasVideos(entry.get())) {
        return withClips(named(entry.get()), reading);
      }
      rejectKeys("videos, not to " + data, reading, FRAMES, STRIDE, FRAME_POOLING);
      if (!reading.containsKey(BACKBONE)) {
        rejectKeys("your own data, not to " + data, reading, SIDE);
      }
      return named(entry.get());
    }
    Path path = path(data);
    if (data.isBlank() || !Files.exists(path)) {
      throw new DataException(
          "'%s' is neither a named data set nor a file or folder.".formatted(data));
    }
    if (isReadAsVideos(path, reading)) {
      rejectKeys("tables", reading, LABEL, ID, IGNORED, TEXT, NUMBERS);
      Dataset videos =
          VideoFolder.open(path, folder.resolve("unpacked"))
              .read(data, Optional.ofNullable(reading.get(SOURCES)));
      return withClips(videos, reading);
    }
    rejectKeys("videos", reading, FRAMES, STRIDE, FRAME_POOLING, SOURCES);
    if (TextFiles.areTexts(path)) {
      rejectKeys("tables", reading, LABEL, ID, IGNORED, TEXT, NUMBERS);
      rejectKeys("images", reading, SIDE);
      return TextFiles.read(path, path.getFileName().toString());
    }
    if (ImageFolder.isFolderOrZip(path)) {
      rejectKeys("tables", reading, LABEL, ID, IGNORED, TEXT, NUMBERS);
      return ImageFolder.open(path).read(data, side(reading), ImageFolder.defaultMemory());
    }
    if (Tables.isTable(path)) {
      rejectKeys("images", reading, SIDE);
      if (reading.containsKey(TEXT)) {
        rejectKeys("tables of numbers", reading, IGNORED);
      } else {
        rejectKeys("tables with a text column", reading, NUMBERS);
      }
      return LabelledTable.read(
          path,
          new LabelledTable.Columns(
              reading.get(LABEL),
              reading.get(ID),
              names(reading.get(IGNORED)),
              reading.get(TEXT),
              names(reading.get(NUMBERS))),
          listener::remark);
    }
    throw new DataException(
        path
            + ": expected a table (.csv, .tsv, .jsonl, .parquet), a .txt file with a text per line,"
            + " or a folder or .zip with a folder of images, videos or .txt files per class.");
  }

  private static List<String> names(String separated) {
    return separated == null
        ? List.of()
        : Arrays.stream(separated.split(",")).map(String::strip).distinct().toList();
  }

  /** A folder of only GIFs contains images, unless an option for videos is given. */
  private static boolean isReadAsVideos(Path path, Map<String, String> reading) {
    return VideoFolder.containsVideos(path)
        || ImageFolder.isFolderOrZip(path) && VIDEO_KEYS.stream().anyMatch(reading::containsKey);
  }

  private static Dataset withClips(Dataset videos, Map<String, String> reading) {
    ClipOptions defaults = ClipOptions.PAPER;
    return videos.withClips(
        new ClipOptions(
            integer(reading, FRAMES, defaults.frames()),
            integer(reading, STRIDE, defaults.stride()),
            side(reading)));
  }

  /** Returns the integer of a key. */
  public static int integer(Map<String, String> reading, String key, int defaultValue) {
    String text = reading.getOrDefault(key, String.valueOf(defaultValue));
    if (!text.matches("\\d{1,9}")) {
      throw new InvalidRequestException(key, "is '%s', expected an integer.".formatted(text));
    }
    return Integer.parseInt(text);
  }

  /** Returns the height and width that images are resized to. */
  public static int side(Map<String, String> reading) {
    String text = reading.getOrDefault(SIDE, String.valueOf(DEFAULT_SIDE));
    try {
      int side = Integer.parseInt(text);
      if (side >= 1 && side <= MAX_SIDE) {
        return side;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new InvalidRequestException(SIDE, "is %s, expected 1 to %d.".formatted(text, MAX_SIDE));
  }

  /**
   * Parses a path.
   *
   * @throws DataException if it is invalid
   */
  public static Path path(String data) {
    try {
      return Path.of(data);
    } catch (InvalidPathException e) {
      throw new DataException("'%s' is not a valid path.".formatted(data), e);
    }
  }

  private static void rejectKeys(String scope, Map<String, String> reading, String... keys) {
    for (String key : keys) {
      if (reading.containsKey(key)) {
        throw new InvalidRequestException(key, "applies only to %s.".formatted(scope));
      }
    }
  }

  private Dataset named(DatasetEntry entry) {
    if (!entry.isReadable()) {
      throw new DataException(
          entry.name()
              + ": this version can download and verify this data set, but cannot read it.");
    }
    return Datasets.read(entry, fetch(entry));
  }

  /** Finds a data set, or downloads it. */
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
