package org.alfamix.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.alfamix.command.Terminal;
import org.alfamix.datasets.ClipOptions;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.DatasetEntry;
import org.alfamix.datasets.DatasetEntry.Location;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.Fetchable;
import org.alfamix.datasets.Fetcher;
import org.alfamix.datasets.ImageFolder;
import org.alfamix.datasets.LabelledTable;
import org.alfamix.datasets.VideoFolder;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.table.Tables;
import org.alfamix.lab.setting.DataSpec;
import org.alfamix.learn.embed.BackboneName;
import org.alfamix.learn.embed.Backbones;
import org.alfamix.learn.embed.FrameFeatures;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.learn.weights.WeightsFolder;

/**
 * Reads data sets: those that have a name, which may be fetched first, and people's own.
 *
 * @param folder where sets that have a name are kept
 * @param err where fetching tells how it goes
 * @param device where features are computed
 */
record DataReader(Path folder, PrintWriter err, String device) {
  private static final int DEFAULT_SIDE = 224;
  private static final int MOST_SIDE = 4096;

  private static final String LABEL = "label-column";
  private static final String ID = "id-column";
  private static final String IGNORED = "ignore-columns";
  private static final String SIDE = "image-size";
  private static final String BACKBONE = DataSpec.BACKBONE;
  private static final String FRAMES = "clip-frames";
  private static final String STRIDE = "clip-stride";
  private static final String POOLING = "frame-pooling";
  private static final String SOURCES = "source-pattern";
  private static final List<String> OF_VIDEOS = List.of(FRAMES, STRIDE, POOLING, SOURCES);

  /** What the features were like that a model has learnt from; a checkpoint remembers it. */
  private static final String HASH = "backbone-hash";

  /**
   * Reads a set by its name, or from a path.
   *
   * @param reading how data of one's own are read: label-column, id-column, ignore-columns,
   *     image-size, source-pattern; for videos also clip-frames, clip-stride and frame-pooling; and
   *     for all, the backbone that makes features of images and videos
   * @throws InvalidRequestException where something of that makes no sense; the message begins with
   *     it
   * @throws DataException where the data are not there or not as they should be
   */
  Dataset read(String data, Map<String, String> reading) {
    if (!reading.containsKey(BACKBONE)) {
      if (reading.containsKey(POOLING)) {
        throw new InvalidRequestException(POOLING, "is for a backbone; add one.");
      }
      return readAsIs(data, reading);
    }
    BackboneName name = BackboneName.parse(reading.get(BACKBONE)).lasting();
    Map<String, String> others = new TreeMap<>(reading);
    int side = side(others);
    String made = others.remove(HASH);
    if (made != null && !made.equals(backbones().hash(name, side))) {
      throw new DataException(
          "%s, or the size of images, is not what the model has learnt from any more: its features are"
                  .formatted(name)
              + " others. Train anew.");
    }
    if (!name.takesClips() && reading.containsKey(STRIDE)) {
      throw new InvalidRequestException(
          STRIDE,
          "is for networks that take videos; %s takes images: evenly spaced frames."
              .formatted(name));
    }
    Dataset read = readAsIs(data, others);
    FrameFeatures frames =
        new FrameFeatures(
            integer(reading, FRAMES, FrameFeatures.DEFAULT.frames()),
            FrameFeatures.Pooling.parse(
                reading.getOrDefault(POOLING, FrameFeatures.DEFAULT.pooling().toString())));
    return features(read, name, side, frames);
  }

  /** How data were read, for a checkpoint to remember: also what the backbone was like. */
  Map<String, String> remembered(Map<String, String> reading) {
    Map<String, String> all = new TreeMap<>(reading);
    if (reading.containsKey(BACKBONE)) {
      BackboneName name = BackboneName.parse(reading.get(BACKBONE));
      all.put(HASH, backbones().hash(name, side(reading)));
    }
    return all;
  }

  private Dataset features(Dataset data, BackboneName name, int side, FrameFeatures frames) {
    EmbedProgress progress =
        new EmbedProgress(
            name.toString(), data.shape().video() ? "videos" : "images", err, Terminal.isThere());
    try {
      return backbones().features(data, name, side, frames, progress);
    } finally {
      progress.end();
    }
  }

  /** Makes features of images and videos, on all processors. */
  private Backbones backbones() {
    return new Backbones(folder, this::weights, Runtime.getRuntime().availableProcessors(), device);
  }

  /** Finds published weights or brings them in, and checks them. */
  Path weights(PublishedWeights weights) {
    FetchProgress progress = new FetchProgress(weights.name(), err, Terminal.isThere());
    try {
      return new WeightsFolder(folder, progress).find(weights);
    } finally {
      progress.end();
    }
  }

  private Dataset readAsIs(String data, Map<String, String> reading) {
    var entry = Datasets.named(data);
    if (entry.isPresent()) {
      requireNone("data of your own, not for " + data, reading, LABEL, ID, IGNORED, SOURCES);
      if (Datasets.hasVideos(entry.get())) {
        return withClips(named(entry.get()), reading);
      }
      requireNone("videos, not for " + data, reading, FRAMES, STRIDE, POOLING);
      if (!reading.containsKey(BACKBONE)) {
        requireNone("data of your own, not for " + data, reading, SIDE);
      }
      return named(entry.get());
    }
    Path path = path(data);
    if (data.isBlank() || !Files.exists(path)) {
      throw new DataException(
          "'%s' is neither a data set that has a name ('alfamix data list' shows them) nor a file."
              .formatted(data));
    }
    if (isVideoFolder(path, reading)) {
      requireNone("a table", reading, LABEL, ID, IGNORED);
      Dataset videos =
          VideoFolder.open(path, folder.resolve("unpacked"))
              .read(data, Optional.ofNullable(reading.get(SOURCES)));
      return withClips(videos, reading);
    }
    requireNone("videos", reading, FRAMES, STRIDE, POOLING, SOURCES);
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

  private static int integer(Map<String, String> reading, String key, int otherwise) {
    String text = reading.getOrDefault(key, String.valueOf(otherwise));
    if (!text.matches("\\d{1,9}")) {
      throw new InvalidRequestException(key, "is '%s', expected a whole number.".formatted(text));
    }
    return Integer.parseInt(text);
  }

  private static int side(Map<String, String> reading) {
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

  static Path path(String data) {
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

  /** Finds a set or brings it in, and says so. */
  Location fetch(Fetchable entry) {
    var found = entry.find(folder);
    if (found.isPresent()) {
      return found.get();
    }
    FetchProgress progress = new FetchProgress(entry.name(), err, Terminal.isThere());
    try {
      return new Fetcher(folder, progress).fetch(entry);
    } finally {
      progress.end();
    }
  }
}
