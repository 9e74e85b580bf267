package org.alfamix.command;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.alfamix.select.ClassNames;
import org.alfamix.select.HeadReader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Options of a selection that do not depend on the source of the pool: labels, head, method and
 * budget.
 */
public final class SelectRequest {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--embedding-column",
      paramLabel = "NAME",
      description =
          "The embedding column of a table (default: embedding, or the columns f0, f1, …).")
  private String embeddingColumn;

  @Option(
      names = "--id-column",
      paramLabel = "NAME",
      description = "The id column of a table (default: id).")
  private String idColumn;

  @Option(
      names = "--labels",
      paramLabel = "FILE",
      description =
          "The labels: a table (.csv, .tsv, .jsonl, .parquet) with id and label, an integer .npy"
              + " with -1 for unlabelled items, or a Label Studio export (.json).")
  private Path labelsFile;

  @Option(
      names = "--label-column",
      paramLabel = "NAME",
      description = "The column with the labels (default: label).")
  private String labelColumn;

  @Option(
      names = "--label-id-column",
      paramLabel = "NAME",
      description = "The column with the ids of the labelled items (default: id).")
  private String labelIdColumn;

  @Option(
      names = "--head",
      paramLabel = "FILE",
      description =
          "The model's last layer: an .npz file with weight (classes x features) and bias, or a"
              + " checkpoint (.safetensors, .pth, .pt, .pyth). Without it, a logistic regression is"
              + " fitted to the labels.")
  private Path headFile;

  @Option(
      names = "--head-weight",
      paramLabel = "FILE",
      description = "The weight matrix of the head as .npy, instead of --head.")
  private Path headWeight;

  @Option(
      names = "--head-bias",
      paramLabel = "FILE",
      description = "The bias of the head as .npy, for --head-weight.")
  private Path headBias;

  @Option(
      names = "--classes",
      paramLabel = "NAMES",
      description =
          "The class names in the order of the head's rows, separated by commas, or a file with one"
              + " name per line (default: the distinct labels, sorted).")
  private String classes;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description = "The query strategy (default: ${DEFAULT-VALUE}; see 'alfamix strategies').",
      completionCandidates = StrategyNames.class,
      defaultValue = "alfamix")
  private String strategy;

  @Option(
      names = "--option",
      paramLabel = "KEY=VALUE",
      description = "An option of the strategy; can be repeated.")
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(
      names = "--budget",
      paramLabel = "B",
      required = true,
      description = "Number of items to select.")
  private int budget;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description =
          "The random seed; the same seed gives the same picks (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--exclude",
      paramLabel = "FILE",
      description =
          "The items that must not be picked: a file with one id per line, a table with ids, or an"
              + " .npy file with row numbers.")
  private Path exclude;

  @Option(
      names = "--normalize",
      description = "Divide each embedding by its norm before the selection.")
  private boolean normalize;

  public String embeddingColumn() {
    return embeddingColumn;
  }

  public String idColumn() {
    return idColumn;
  }

  public Path labelsFile() {
    return labelsFile;
  }

  public String labelColumn() {
    return labelColumn;
  }

  public String labelIdColumn() {
    return labelIdColumn;
  }

  public Path headFile() {
    return headFile;
  }

  public Path headWeight() {
    return headWeight;
  }

  public Path headBias() {
    return headBias;
  }

  public String classes() {
    return classes;
  }

  public String strategy() {
    return strategy;
  }

  public Map<String, String> options() {
    return options;
  }

  public int budget() {
    return budget;
  }

  public long seed() {
    return seed;
  }

  public Path exclude() {
    return exclude;
  }

  public boolean normalize() {
    return normalize;
  }

  /** Returns the input files except the pool. */
  public List<Path> files() {
    return Stream.of(
            labelsFile,
            headFile,
            headWeight,
            headBias,
            exclude,
            classes == null ? null : Path.of(classes))
        .filter(Objects::nonNull)
        .toList();
  }

  /** Returns the given class names; null if there are none. */
  public List<String> classNames() {
    return classes == null ? null : ClassNames.parse(classes);
  }

  /**
   * Returns the given head, with the assumptions made in reading it; null if there is none.
   *
   * @param features returns the length of the embeddings; called only if there is a head
   */
  public HeadReader.Reading readHead(IntSupplier features) {
    if (headFile != null && headWeight != null) {
      throw wrongUsage("--head and --head-weight cannot be combined.");
    }
    if (headWeight == null && headBias != null) {
      throw wrongUsage("--head-bias requires --head-weight.");
    }
    if (headFile != null) {
      return HeadReader.read(headFile, features.getAsInt());
    }
    return headWeight == null
        ? null
        : new HeadReader.Reading(
            HeadReader.read(headWeight, headBias, features.getAsInt()),
            null,
            headBias == null ? "no --head-bias was given; the bias is assumed to be 0." : null);
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
