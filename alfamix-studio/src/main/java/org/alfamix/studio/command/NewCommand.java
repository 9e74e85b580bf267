package org.alfamix.studio.command;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.alfamix.command.Shell;
import org.alfamix.datasets.Datasets;
import org.alfamix.io.DataException;
import org.alfamix.learn.embed.NgramFeatures;
import org.alfamix.learn.embed.TextEncoderEngine;
import org.alfamix.learn.embed.TextFeatures;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.learn.weights.WeightsFolder;
import org.alfamix.studio.Studio;
import org.alfamix.studio.engine.ProjectOptions;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.StoreException;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Creates a project. */
@Command(name = "new", description = "Create a project.", mixinStandardHelpOptions = true)
final class NewCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "The name of the project.")
  private String name;

  @ArgGroup(multiplicity = "1")
  private Source source;

  @Option(
      names = "--embeddings",
      paramLabel = "FILE",
      description =
          "For --texts and --links: an .npy file with one embedding per row of the table.")
  private Path embeddings;

  @Option(
      names = "--column",
      paramLabel = "NAME",
      description =
          "For --texts and --links: the column to show (default: a column such as text or body;"
              + " with --embeddings, the first).",
      defaultValue = "")
  private String column;

  @Option(
      names = "--id-column",
      paramLabel = "NAME",
      description =
          "For --texts and --links: the column with a unique name for each row, which exports"
              + " contain (default: id if it exists, otherwise the line).",
      defaultValue = "")
  private String idColumn;

  @Option(
      names = "--classes",
      split = ",",
      paramLabel = "CLASS",
      description = "The classes, separated by commas; more can be added at any time.")
  private List<String> classes;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      description = "The query strategy, see 'alfamix strategies' (default: ${DEFAULT-VALUE}).",
      defaultValue = "alfamix")
  private String strategy;

  @Option(
      names = "--features",
      paramLabel = "NAME",
      description =
          "Features of the model: auto, fixed, mlp or lenet5; for images and videos a pre-trained"
              + " network such as resnet50-imagenet; for texts minilm (English), ngrams (any"
              + " language), or a folder with model.onnx and tokenizer.json (default: auto, a small"
              + " network for images larger than 16 x 16 pixels, minilm for texts, otherwise"
              + " fixed).",
      defaultValue = ProjectOptions.AUTO)
  private String features;

  @Option(
      names = "--budget",
      paramLabel = "N",
      description = "Items per batch (default: ${DEFAULT-VALUE}).",
      defaultValue = "20")
  private int budget;

  @Option(
      names = "--test-every",
      paramLabel = "N",
      description =
          "Label every Nth item to test the model, not to train it; 0 for none (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "5")
  private int testEvery;

  @Option(
      names = "--seed",
      paramLabel = "N",
      description = "The random seed (default: ${DEFAULT-VALUE}).",
      defaultValue = "1")
  private long seed;

  @Mixin private StudioFolder home;

  /** The source of the items. */
  static final class Source {
    @Option(
        names = "--images",
        paramLabel = "FOLDER",
        description = "A folder or zip of JPEG, PNG or WebP files.")
    private Path images;

    @Option(
        names = "--videos",
        paramLabel = "FOLDER",
        description = "A folder or zip of MP4, MOV, AVI, WebM, MKV or GIF files.")
    private Path videos;

    @Option(
        names = "--table",
        paramLabel = "FILE",
        description = "Rows of a CSV, TSV or JSONL file; the model uses its numeric columns.")
    private Path table;

    @Option(
        names = "--texts",
        paramLabel = "PATH",
        description =
            "Texts in a table, from --column; a .txt file with a text per line; or a folder of .txt"
                + " files.")
    private Path texts;

    @Option(
        names = "--links",
        paramLabel = "FILE",
        description = "A table of file names or web addresses, one per row, with --embeddings.")
    private Path links;

    @Option(
        names = "--data",
        paramLabel = "NAME",
        description = "The pool of a named data set, such as digits.")
    private String data;
  }

  @Override
  public Integer call() {
    SourceSpec from = spec();
    ProjectOptions options =
        new ProjectOptions(
            features(),
            strategy,
            budget,
            ProjectOptions.DEFAULT.trainEvery(),
            testEvery,
            ProjectOptions.DEFAULT.leaseMinutes(),
            seed);
    PublishedWeights.named(features).ifPresent(this::fetch);
    try (Studio studio = home.open()) {
      studio
          .create(name, from, options, classNames())
          .forEach(each -> spec.commandLine().getErr().println("alfamix: " + each));
      int count = studio.store().projects().items(StudioFolder.find(studio, name).id());
      spec.commandLine()
          .getOut()
          .printf(
              "Created '%s' with %,d item%s. Next, run: %s studio serve%s%n",
              name, count, count == 1 ? "" : "s", Shell.alfamix(), home.option());
    } catch (StoreException e) {
      throw new DataException(e.getMessage(), e);
    }
    return 0;
  }

  /** Downloaded now rather than when the first batch is due. */
  private void fetch(PublishedWeights weights) {
    PrintWriter err = spec.commandLine().getErr();
    new WeightsFolder(
            home.data(),
            what -> {
              err.printf("alfamix: %s: %s%n", weights.name(), what);
              err.flush();
            })
        .find(weights);
  }

  /** Returns the features, with an encoder of texts only if it is installed. */
  private String features() {
    boolean texts =
        source.texts != null && embeddings == null
            || source.data != null
                && Datasets.named(source.data).filter(Datasets::hasTexts).isPresent();
    if (texts && features.equals(ProjectOptions.AUTO) && !TextEncoderEngine.isAvailable()) {
      spec.commandLine()
          .getErr()
          .println(
              "alfamix: the text encoder is not installed (the alfamix zip with 'onnx' in its"
                  + " name), so features of n-grams are used.");
      return NgramFeatures.NAME;
    }
    if (texts && features.equals(ProjectOptions.AUTO)) {
      return TextFeatures.MINILM;
    }
    return TextFeatures.isEncoder(features) ? TextFeatures.withAbsolutePath(features) : features;
  }

  private List<String> classNames() {
    if (classes != null) {
      return classes.stream().map(String::strip).toList();
    }
    return source.data == null ? List.of() : Datasets.open(source.data, home.data()).classNames();
  }

  private SourceSpec spec() {
    String rows = embeddings == null ? "" : absolute(embeddings);
    if (source.images != null) {
      return new SourceSpec(SourceSpec.Kind.IMAGES, absolute(source.images), "", "");
    }
    if (source.videos != null) {
      return new SourceSpec(SourceSpec.Kind.VIDEOS, absolute(source.videos), "", "");
    }
    if (source.table != null) {
      return new SourceSpec(SourceSpec.Kind.TABLE, absolute(source.table), "", "");
    }
    if (source.texts != null) {
      return new SourceSpec(
          SourceSpec.Kind.TEXTS, absolute(source.texts), rows, column, idColumn, "");
    }
    return source.links != null
        ? new SourceSpec(SourceSpec.Kind.LINKS, absolute(source.links), rows, column, idColumn, "")
        : new SourceSpec(SourceSpec.Kind.DATA, source.data, "", "");
  }

  private static String absolute(Path path) {
    return path.toAbsolutePath().normalize().toString();
  }
}
