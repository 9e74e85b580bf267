package org.alfamix.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
import picocli.CommandLine.Spec;

/** Options that say what to learn from, for every command that does. */
final class DataOptions {
  static final class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    Names() {
      super(DataSets.all().stream().map(DataSetEntry::name).toList());
    }
  }

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

  String labelColumn() {
    return labelColumn;
  }

  /** What a checkpoint should call a data set by: its name, or where it is for good. */
  static String lasting(String data) {
    return DataSets.named(data).isPresent()
        ? data
        : Path.of(data).toAbsolutePath().normalize().toString();
  }

  /** Reads a set as it was read for a model: what was said then need not be said again. */
  Dataset readAgain(String data, String usedLabelColumn, int usedImageSize) {
    if (DataSets.named(data).isEmpty()) {
      labelColumn = labelColumn == null ? usedLabelColumn : labelColumn;
      imageSize = imageSize == null ? usedImageSize : imageSize;
    }
    return read(data);
  }

  /** Reads a set by its name, which may be fetched first, or from a path. */
  Dataset read(String data) {
    var entry = DataSets.named(data);
    if (entry.isPresent()) {
      if (labelColumn != null || imageSize != null) {
        throw new DataException(
            "--label-column and --image-size are for data of your own, not for " + data + ".");
      }
      return named(entry.get());
    }
    Path path = Path.of(data);
    if (!Files.exists(path)) {
      throw new DataException(
          "'%s' is neither a data set that has a name ('alfamix data list' shows them) nor a file."
              .formatted(data));
    }
    if (ImageFolder.isOne(path)) {
      int side = imageSize == null ? 224 : imageSize;
      if (side < 1 || side > 4096) {
        throw new DataException("--image-size is " + side + ", expected 1 to 4096.");
      }
      return ImageFolder.open(path)
          .read(data, side, Runtime.getRuntime().maxMemory() / CACHE_SHARE);
    }
    if (Tables.isTable(path)) {
      return LabelledTable.read(path, labelColumn);
    }
    throw new DataException(
        path
            + ": expected a table (.csv, .tsv, .jsonl, .parquet), or a folder or .zip with a folder"
            + " of images per class.");
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
