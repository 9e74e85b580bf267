package org.alfamix.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.data.DataException;
import org.alfamix.data.table.Tables;
import org.alfamix.dataset.DataSetEntry;
import org.alfamix.dataset.DataSetEntry.Location;
import org.alfamix.dataset.DataSets;
import org.alfamix.dataset.Dataset;
import org.alfamix.dataset.Fetchable;
import org.alfamix.dataset.Fetcher;
import org.alfamix.dataset.ImageFolder;
import org.alfamix.dataset.LabelledTable;
import org.alfamix.embed.BackboneName;
import org.alfamix.embed.Backbones;
import org.alfamix.lab.setting.DataSpec;
import org.alfamix.weights.PublishedWeights;
import org.alfamix.weights.WeightsFolder;

/**
 * Reads data sets: those that have a name, which may be fetched first, and people's own.
 *
 * @param folder where sets that have a name are kept
 * @param err where fetching tells how it goes
 * @param device where features of images are computed
 */
record DataReader(Path folder, PrintWriter err, String device) {
  private static final int DEFAULT_SIDE = 224;
  private static final int MOST_SIDE = 4096;

  private static final String LABEL = "label-column";
  private static final String ID = "id-column";
  private static final String IGNORED = "ignore-columns";
  private static final String SIDE = "image-size";
  private static final String BACKBONE = DataSpec.BACKBONE;

  /** What the features were like that a model has learnt from; a checkpoint remembers it. */
  private static final String HASH = "backbone-hash";

  /** Where sets are kept, unless something else is said. */
  static Path folder(Path given) {
    if (given != null) {
      return given;
    }
    String variable = System.getenv("ALFAMIX_DATA");
    return variable == null || variable.isBlank()
        ? Path.of(System.getProperty("user.home"), ".alfamix", "data")
        : Path.of(variable);
  }

  /**
   * Reads a set by its name, or from a path.
   *
   * @param reading how data of one's own are read: label-column, id-column, ignore-columns,
   *     image-size; and for all, the backbone that makes features of images
   * @throws IllegalArgumentException where something of that makes no sense; the message begins
   *     with it
   * @throws DataException where the data are not there or not as they should be
   */
  Dataset read(String data, Map<String, String> reading) {
    if (!reading.containsKey(BACKBONE)) {
      return readAsIs(data, reading);
    }
    BackboneName name = BackboneName.parse(reading.get(BACKBONE)).lasting();
    Map<String, String> others = new TreeMap<>(reading);
    others.remove(BACKBONE);
    int side = side(others);
    String made = others.remove(HASH);
    if (made != null && !made.equals(backbones().hash(name, side))) {
      throw new DataException(
          "%s, or the size of images, is not what the model has learnt from any more: its features are"
                  .formatted(name)
              + " others. Train anew.");
    }
    if (DataSets.named(data).isPresent()) {
      others.remove(SIDE);
    }
    return features(readAsIs(data, others), name, side);
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

  private Dataset features(Dataset data, BackboneName name, int side) {
    EmbedProgress progress = new EmbedProgress(name.toString(), err, Terminal.isThere());
    try {
      return backbones().features(data, name, side, progress);
    } finally {
      progress.end();
    }
  }

  /** Makes features of images, on all processors. */
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
    var entry = DataSets.named(data);
    if (entry.isPresent()) {
      if (!reading.isEmpty()) {
        throw new IllegalArgumentException(
            "%s is for data of your own, not for %s."
                .formatted(reading.keySet().iterator().next(), data));
      }
      return named(entry.get());
    }
    Path path = path(data);
    if (data.isBlank() || !Files.exists(path)) {
      throw new DataException(
          "'%s' is neither a data set that has a name ('alfamix data list' shows them) nor a file."
              .formatted(data));
    }
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
            + " of images per class.");
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
    throw new IllegalArgumentException(
        "%s is %s, expected 1 to %d.".formatted(SIDE, text, MOST_SIDE));
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
        throw new IllegalArgumentException("%s is for %s.".formatted(key, what));
      }
    }
  }

  private Dataset named(DataSetEntry entry) {
    if (!entry.isReadable()) {
      throw new DataException(
          entry.name() + ": this version can keep and check it, but cannot read it yet.");
    }
    return DataSets.read(entry, fetch(entry));
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
