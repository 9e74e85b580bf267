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

/** What is asked of a pool, wherever it is: what is known of it, and how to choose. */
public final class SelectRequest {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--embedding-column",
      paramLabel = "NAME",
      description = "The column of a table with the embeddings (default: embedding, or f0, f1, …).")
  private String embeddingColumn;

  @Option(
      names = "--id-column",
      paramLabel = "NAME",
      description = "The column of a table with the ids (default: id).")
  private String idColumn;

  @Option(
      names = "--labels",
      paramLabel = "FILE",
      description =
          "What is labelled: a table (.csv, .tsv, .jsonl, .parquet) of id and label, an integer"
              + " .npy with -1 for unlabelled, or Label Studio's export (.json).")
  private Path labelsFile;

  @Option(
      names = "--label-column",
      paramLabel = "NAME",
      description = "The column with the labels (default: label).")
  private String labelColumn;

  @Option(
      names = "--label-id-column",
      paramLabel = "NAME",
      description = "The column of the labels with the ids (default: id).")
  private String labelIdColumn;

  @Option(
      names = "--head",
      paramLabel = "FILE",
      description =
          "The model's last layer: .npz or .safetensors with weight (classes x features) and bias."
              + " Without a head, a logistic one is fitted to the labels.")
  private Path headFile;

  @Option(names = "--head-weight", paramLabel = "FILE", description = "The weight as .npy.")
  private Path headWeight;

  @Option(names = "--head-bias", paramLabel = "FILE", description = "The bias as .npy.")
  private Path headBias;

  @Option(
      names = "--classes",
      paramLabel = "NAMES",
      description =
          "The class names in the order of the head's rows: separated by commas, or a file with one"
              + " per line (default: the labels' names, sorted).")
  private String classes;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description = "The method (default: ${DEFAULT-VALUE}; see 'alfamix strategies').",
      completionCandidates = StrategyNames.class,
      defaultValue = "alfamix")
  private String strategy;

  @Option(
      names = "--option",
      paramLabel = "KEY=VALUE",
      description = "An option of the method; may be repeated.")
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(
      names = "--budget",
      paramLabel = "B",
      required = true,
      description = "How many items to choose.")
  private int budget;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The same seed gives the same picks (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private long seed;

  @Option(
      names = "--exclude",
      paramLabel = "FILE",
      description = "Ids never to be picked: one per line, or a table, or .npy of row numbers.")
  private Path exclude;

  @Option(names = "--normalize", description = "Divide every embedding by its norm first.")
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

  /** The files it names, beside the pool. */
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

  /** The names of the classes that were given; null where none were. */
  public List<String> classNames() {
    return classes == null ? null : ClassNames.parse(classes);
  }

  /**
   * The head that was given, with what had to be assumed to read it; null where none was.
   *
   * @param features how long embeddings are, asked for where there is a head
   */
  public HeadReader.Reading readHead(IntSupplier features) {
    if (headFile != null && headWeight != null) {
      throw wrongUsage("--head and --head-weight exclude each other.");
    }
    if (headWeight == null && headBias != null) {
      throw wrongUsage("--head-bias needs --head-weight.");
    }
    if (headFile != null) {
      return HeadReader.read(headFile, features.getAsInt());
    }
    return headWeight == null
        ? null
        : new HeadReader.Reading(
            HeadReader.read(headWeight, headBias, features.getAsInt()),
            null,
            headBias == null ? "no --head-bias was given: the bias is taken as 0." : null);
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
