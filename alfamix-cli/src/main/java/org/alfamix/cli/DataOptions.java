package org.alfamix.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alfamix.data.DataException;
import org.alfamix.data.table.Tables;
import org.alfamix.dataset.DataSetEntry;
import org.alfamix.dataset.DataSets;
import org.alfamix.dataset.Dataset;
import org.alfamix.dataset.Fetcher;
import org.alfamix.dataset.ImageFolder;
import org.alfamix.dataset.LabelledTable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say what to learn from, for every command that does. */
final class DataOptions {
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Names() {
      super(DataSets.all().stream().map(DataSetEntry::name).toList());
    }
  }

  private static final int DEFAULT_SIDE = 224;
  private static final int MOST_SIDE = 4096;

  /** Decoded images are kept in this share of the memory that Java may use. */
  private static final int CACHE_SHARE = 4;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--data-dir",
      paramLabel = "FOLDER",
      description =
          "Where data sets are kept (default: $ALFAMIX_DATA, or .alfamix/data in your home).")
  private Path folder;

  @Option(
      names = "--label-column",
      paramLabel = "NAME",
      description = "In a table of your own: the column with the class.")
  private String labelColumn;

  @Option(
      names = "--id-column",
      paramLabel = "NAME",
      description = "In a table of your own: the column that names a row, not learnt from.")
  private String idColumn;

  @Option(
      names = "--ignore-columns",
      paramLabel = "NAME",
      split = ",",
      description = "In a table of your own: columns to leave out.")
  private List<String> ignored = List.of();

  @Option(
      names = "--image-size",
      paramLabel = "PIXELS",
      description = "Images in folders are resized to this height and width (default: 224).")
  private Integer imageSize;

  /** Where data sets are kept. */
  Path folder() {
    return folder(folder);
  }

  static Path folder(Path given) {
    if (given != null) {
      return given;
    }
    String variable = System.getenv("ALFAMIX_DATA");
    return variable == null || variable.isBlank()
        ? Path.of(System.getProperty("user.home"), ".alfamix", "data")
        : Path.of(variable);
  }

  /** How data of one's own are read, for a checkpoint to remember. */
  Map<String, String> reading() {
    Map<String, String> reading = new TreeMap<>();
    put(reading, "label-column", labelColumn);
    put(reading, "id-column", idColumn);
    put(reading, "ignore-columns", ignored.isEmpty() ? null : String.join(",", ignored));
    put(reading, "image-size", imageSize == null ? null : imageSize.toString());
    return reading;
  }

  private static void put(Map<String, String> map, String name, String value) {
    if (value != null) {
      map.put(name, value);
    }
  }

  /** What a checkpoint should call a data set by: its name, or where it is for good. */
  static String lasting(String data) {
    return DataSets.named(data).isPresent()
        ? data
        : path(data).toAbsolutePath().normalize().toString();
  }

  /** Reads a set as it was read for a model: what was said then need not be said again. */
  Dataset readAgain(String data, Map<String, String> used) {
    try {
      labelColumn = labelColumn == null ? used.get("label-column") : labelColumn;
      idColumn = idColumn == null ? used.get("id-column") : idColumn;
      if (ignored.isEmpty() && used.containsKey("ignore-columns")) {
        ignored = List.of(used.get("ignore-columns").split(","));
      }
      if (imageSize == null && used.containsKey("image-size")) {
        imageSize = Integer.valueOf(used.get("image-size"));
      }
    } catch (NumberFormatException e) {
      throw new DataException("The model's image-size is '" + used.get("image-size") + "'.", e);
    }
    return read(data);
  }

  /** Reads a set by its name, which may be fetched first, or from a path. */
  Dataset read(String data) {
    var entry = DataSets.named(data);
    if (entry.isPresent()) {
      if (!reading().isEmpty()) {
        throw wrongUsage(
            "--%s is for data of your own, not for %s."
                .formatted(reading().keySet().iterator().next(), data));
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
      requireNone("a table", labelColumn, idColumn, ignored.isEmpty() ? null : "");
      int side = imageSize == null ? DEFAULT_SIDE : imageSize;
      if (side < 1 || side > MOST_SIDE) {
        throw wrongUsage("--image-size is %d, expected 1 to %d.".formatted(side, MOST_SIDE));
      }
      return ImageFolder.open(path)
          .read(data, side, Runtime.getRuntime().maxMemory() / CACHE_SHARE);
    }
    if (Tables.isTable(path)) {
      requireNone("images", imageSize);
      return LabelledTable.read(path, new LabelledTable.Columns(labelColumn, idColumn, ignored));
    }
    throw new DataException(
        path
            + ": expected a table (.csv, .tsv, .jsonl, .parquet), or a folder or .zip with a folder"
            + " of images per class.");
  }

  private static Path path(String data) {
    try {
      return Path.of(data);
    } catch (InvalidPathException e) {
      throw new DataException("'%s' is no name of a file.".formatted(data), e);
    }
  }

  private void requireNone(String what, Object... options) {
    for (Object option : options) {
      if (option != null) {
        throw wrongUsage("--%s is for %s.".formatted(reading().keySet().iterator().next(), what));
      }
    }
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Dataset named(DataSetEntry entry) {
    if (!entry.isReadable()) {
      throw new DataException(
          entry.name() + ": this version can keep and check it, but cannot read it yet.");
    }
    return DataSets.read(entry, fetch(entry, folder(), spec.commandLine().getErr()));
  }

  /** Finds a set or brings it in, and says so. */
  static DataSetEntry.Location fetch(DataSetEntry entry, Path folder, PrintWriter err) {
    var found = entry.find(folder);
    if (found.isPresent()) {
      return found.get();
    }
    FetchProgress progress = new FetchProgress(entry.name(), err, Progress.isTerminal());
    try {
      return new Fetcher(folder, progress).fetch(entry);
    } finally {
      progress.end();
    }
  }
}
