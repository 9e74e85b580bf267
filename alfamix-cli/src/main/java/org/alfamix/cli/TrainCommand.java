package org.alfamix.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.alfamix.command.ExitCode;
import org.alfamix.command.ProgressLine;
import org.alfamix.command.Shell;
import org.alfamix.command.Version;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.DatasetReader;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Scaling;
import org.alfamix.io.DataException;
import org.alfamix.learn.Fit;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.Pretraining;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.learn.TrainingRecord;
import org.alfamix.learn.Tuning;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Seeds;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Trains a network on labelled items of a data set. */
@Command(
    name = "train",
    description = {
      "Train a network on labelled items of a data set, test it, and save it.",
      "",
      "The defaults are those of the paper: cross-entropy loss and Adam with batches of 64, until"
          + " the training accuracy reaches 99 %%, for at most 1,000 epochs.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true,
    footer = {
      "",
      "Examples:",
      "  alfamix train --data letter --network mlp --labelled 2000",
      "  alfamix train --data mnist --network lenet5 --labels labels.csv",
      "  alfamix train --data flowers.csv --label-column species --standardize \\",
      "      --labelled 60",
      "  alfamix train --data photos/ --network resnet18 --image-size 96 --labelled 500",
      "  alfamix train --data photos/ --weights resnet18-imagenet --tuning last:2",
      "  alfamix train --data photos/ --backbone resnet50-imagenet --labelled 70",
      "  alfamix train --data clips/ --backbone resnet50-imagenet \\",
      "      --epochs 300 --goal none"
    })
final class TrainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "NAME|PATH",
      required = true,
      description =
          "The data: a data set of 'alfamix data list', a table, or a folder or .zip file that"
              + " contains a folder of images or videos for each class.",
      completionCandidates = DataOptions.Names.class)
  private String data;

  @Option(
      names = "--network",
      paramLabel = "NAME",
      description =
          "The network, such as mlp, lenet5, resnet18, vit-small or mvit (see 'alfamix networks';"
              + " default: mlp; with --backbone linear; with --weights the network of the"
              + " weights).")
  private String network;

  @Option(
      names = "--weights",
      paramLabel = "NAME|FILE",
      description =
          "Initial weights: published weights such as resnet18-imagenet (see 'alfamix data list'),"
              + " or a .pth, .pt or .safetensors file (default: random weights).")
  private String weights;

  @Option(
      names = "--tuning",
      paramLabel = "PART",
      description =
          "The layers to train besides the head: all, last or last:N (the last N blocks), norms"
              + " (normalization layers) or frozen (none) (default: all).")
  private String tuning;

  @ArgGroup private Labelled labelled = new Labelled();

  /** The labelled items of the pool. */
  static final class Labelled {
    @Option(
        names = "--labelled",
        paramLabel = "N",
        description =
            "Number of items of the pool, sampled at random, that are labelled (default: all items"
                + " with a known class).")
    private Integer count;

    @Option(
        names = "--labels",
        paramLabel = "FILE",
        description =
            "A table of the labelled items with the columns id (row of the pool, from 0) or item"
                + " (name in items.csv), and label.")
    private Path file;
  }

  @Option(
      names = "--output",
      paramLabel = "FILE",
      description =
          "The model file (default: DATA-NETWORK.safetensors). A .json file with the same name is"
              + " written as well.")
  private Path output;

  @Option(
      names = "--continue",
      paramLabel = "FILE",
      description =
          "Continue the training of a saved model, with its weights, network and scaling.")
  private Path previous;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description =
          "The random seed for the labelled items, the weights and the order of batches. With"
              + " --continue, weights and batches use the seed of the saved model.",
      defaultValue = "1")
  private long seed;

  @Mixin private TrainingFlags flags;

  @Option(
      names = "--standardize",
      description =
          "Scale each column or channel to mean 0 and standard deviation 1 over the pool (default:"
              + " tables are not scaled, and images with the usual constants of the data set).")
  private boolean standardize;

  @Option(names = "--standardise", hidden = true, description = "Former spelling of --standardize.")
  private void setFormerStandardize(boolean value) {
    standardize = value;
  }

  @Mixin private DeviceOptions device;

  @Mixin private DataOptions dataOptions;

  @Override
  public Integer call() {
    if (previous != null && !Files.exists(previous)) {
      throw new DataException(previous + ": no such file.");
    }
    if (output != null && !output.toString().endsWith(".safetensors")) {
      throw wrongUsage("--output %s: expected a name that ends in .safetensors.".formatted(output));
    }
    Path file = output == null ? Path.of(defaultName()) : output;
    if (labelled.count != null && labelled.count < 1) {
      throw wrongUsage("--labelled must be at least 1, got " + labelled.count + ".");
    }
    // Options are validated before data are downloaded or read.
    training(TrainingOptions.of(networkName(), InputShape.table(1)));
    int threads = device.threads();
    LearnerEngine engine = LearnerEngine.find();
    if (network != null) {
      requireNetwork(engine);
    }
    pretraining(Optional.empty());
    (network == null ? engine : engine.forNetwork(network)).requireSavable(file);
    if (previous == null) {
      Dataset dataset = dataOptions.read(data, device.name()).requireClasses();
      requireImages(dataset);
      if (dataset.shape().isVideo() && network == null && weights == null) {
        throw wrongUsage(
            "Videos require --backbone (resnet50-imagenet, for example, computes features of"
                + " frames) or --network mvit.");
      }
      if (standardize) {
        dataset = dataset.withScaling(Scaling.standardizing(dataset.pool().inputs()));
      }
      run(createLearner(engine, dataset, threads), dataset, file);
    } else {
      LearnerEngine.Loaded loaded = engine.load(previous, threads, device.name(), this::training);
      Dataset dataset;
      try {
        dataset = readContinued(loaded);
      } catch (RuntimeException e) {
        loaded.learner().close();
        throw e;
      }
      run(loaded.learner(), dataset, file);
    }
    return ExitCode.SUCCESS;
  }

  private void requireImages(Dataset dataset) {
    if (flags.augmentsImages() && !dataset.shape().isImage()) {
      throw wrongUsage("--augment requires images, got %s.".formatted(dataset.shape()));
    }
  }

  private void requireNetwork(LearnerEngine engine) {
    List<String> names = new ArrayList<>();
    engine.networks().forEach(info -> names.add(info.name()));
    if (!names.contains(network.split(":", 2)[0])) {
      throw wrongUsage(
          "Unknown network '%s'; expected one of %s.".formatted(network, String.join(", ", names)));
    }
  }

  private Learner createLearner(LearnerEngine engine, Dataset read, int threads) {
    LearnerSpec learnerSpec;
    Optional<PublishedWeights> published = published();
    // Published weights expect the pixel scaling of their training.
    Dataset dataset =
        published.isPresent() && !standardize && read.shape().channels() == 3
            ? read.withScaling(published.get().scaling())
            : read;
    Optional<Path> file =
        weights == null
            ? Optional.empty()
            : Optional.of(
                published
                    .map(dataOptions.reader(device.name())::weights)
                    .orElseGet(() -> weightsFile()));
    learnerSpec =
        LearnerSpec.of(networkName(), dataset, seed)
            .withPretraining(pretraining(file))
            .withTraining(training(TrainingOptions.of(networkName(), dataset.shape())))
            .withThreads(threads)
            .withDevice(device.name());
    return engine.create(learnerSpec);
  }

  private Optional<PublishedWeights> published() {
    return weights == null ? Optional.empty() : PublishedWeights.named(weights);
  }

  private Path weightsFile() {
    Path file = DatasetReader.path(weights);
    if (!Files.isRegularFile(file)) {
      throw new DataException(
          "'%s' is neither a file nor the name of published weights (see 'alfamix data list')."
              .formatted(weights));
    }
    return file;
  }

  private Pretraining pretraining(Optional<Path> file) {
    if ((weights != null || tuning != null) && previous != null) {
      throw wrongUsage("--continue cannot be combined with --weights or --tuning.");
    }
    if ((weights != null || tuning != null) && dataOptions.hasBackbone()) {
      throw wrongUsage("--backbone cannot be combined with --weights or --tuning.");
    }
    if (flags.augmentsImages() && dataOptions.hasBackbone()) {
      throw wrongUsage(
          "--augment cannot be combined with --backbone, which computes the features only once.");
    }
    if (weights != null && published().isEmpty()) {
      weightsFile(); // fails if it does not exist
    }
    if (weights != null && network == null && published().isEmpty()) {
      throw wrongUsage(
          "--weights %s: the network of these weights is unknown; add --network."
              .formatted(weights));
    }
    if (tuning != null && weights == null) {
      throw wrongUsage("--tuning requires --weights.");
    }
    return new Pretraining(file, tuning == null ? Tuning.ALL : Tuning.parse(tuning));
  }

  /** Reads the data set with the options of the saved model, and validates that they match. */
  private Dataset readContinued(LearnerEngine.Loaded loaded) {
    LearnerSpec saved = loaded.learner().spec();
    if (standardize) {
      throw wrongUsage(
          "--continue cannot be combined with --standardize, because it uses the scaling of the"
              + " saved model.");
    }
    if (network != null && !network.equals(saved.network())) {
      throw wrongUsage(
          "%s contains the network %s, not %s; omit --network."
              .formatted(previous, saved.network(), network));
    }
    Dataset dataset =
        DataOptions.permanentName(data).equals(loaded.training().data())
            ? dataOptions.readAgain(data, loaded.training().reading(), device.name())
            : dataOptions.read(data, device.name());
    requireImages(dataset);
    if (dataOptions.reader(device.name()).areFeaturesFittedToPool(data, loaded.training().reading())
        && !loaded.training().fingerprint().equals(dataset.fingerprint())) {
      throw new DataException(
          "%s was trained on other texts than those of %s, and these features depend on all texts;"
                  .formatted(previous, dataset.name())
              + " train a new model.");
    }
    CheckpointData.requireSameItemsAndClasses(previous, saved, dataset);
    return dataset;
  }

  private TrainingOptions training(TrainingOptions options) {
    TrainingOptions result = flags.applyTo(options);
    return previous == null ? result : result.withWarmStart();
  }

  private int[] sampleLabelled(Dataset dataset) {
    int[] known = dataset.labelledItems();
    if (labelled.count == null) {
      return known;
    }
    if (labelled.count > known.length) {
      printNote(
          String.format(
              Locale.ROOT,
              "The pool of %s has only %,d labelled items, fewer than %,d; all are used.",
              dataset.name(),
              known.length,
              labelled.count));
    }
    int count = Math.min(known.length, labelled.count);
    // A separate stream, so that the sample is independent of weights and batch order.
    int[] places = RandomIndices.distinct(known.length, count, Seeds.at(seed, 0, 0));
    return Arrays.stream(places).map(place -> known[place]).sorted().toArray();
  }

  private void run(Learner open, Dataset dataset, Path file) {
    try (Learner learner = open) {
      if (labelled.file != null) {
        PoolLabels read = PoolLabels.read(labelled.file, dataset);
        fit(learner, dataset, read.items(), read.labels(), file);
      } else {
        int[] items = sampleLabelled(dataset);
        fit(learner, dataset, items, dataset.pool().labelsOf(items), file);
      }
    }
  }

  private void fit(Learner learner, Dataset dataset, int[] items, int[] labels, Path file) {
    TrainingReport report = new TrainingReport(spec.commandLine().getOut(), dataset, learner);
    report.begin(items.length, devicePhrase(learner));
    ProgressLine line = new ProgressLine(spec.commandLine().getErr());
    Fit fit;
    try {
      fit = learner.fit(dataset.pool().inputs(), items, labels, new TrainingProgress(line));
    } finally {
      line.clear();
    }
    long start = System.nanoTime();
    boolean tested = dataset.test().size() > 0;
    double accuracy =
        tested ? learner.accuracy(dataset.test().inputs(), dataset.test().labels()) : Double.NaN;
    double seconds = (System.nanoTime() - start) / 1e9;
    report.end(fit, accuracy, seconds);
    double goal = learner.spec().training().goal();
    if (goal != TrainingOptions.NO_GOAL && fit.accuracy() < goal) {
      printNote(
          String.format(
              Locale.ROOT,
              "training ended after %3$d epoch%4$s with a training accuracy of %1$.1f %%, below the"
                  + " goal of %2$.1f %%.",
              100 * fit.accuracy(),
              100 * goal,
              fit.epochs(),
              fit.epochs() == 1 ? "" : "s"));
    }
    learner.save(
        file,
        new TrainingRecord(
            DataOptions.permanentName(data),
            dataOptions.lastReading(data, device.name()),
            dataset.fingerprint(),
            items,
            labels,
            fit.epochs(),
            accuracy));
    PrintWriter out = spec.commandLine().getOut();
    out.printf("Wrote %s and its .json file. Next, run:%n%n", file);
    out.printf(
        "  %s embed --checkpoint %s --output %s%n",
        Shell.alfamix(), Shell.quote(file.toString()), Shell.quote(folderName(file)));
    out.flush();
  }

  private String devicePhrase(Learner learner) {
    if (!learner.device().equals("cpu")) {
      return "on " + learner.device();
    }
    return device.threads() == 1 ? "1 thread on cpu" : device.threads() + " threads on cpu";
  }

  private static String folderName(Path file) {
    String name = file.toString().replaceAll("\\.safetensors$", "");
    return Files.exists(Path.of(name)) ? name + "-embeddings" : name;
  }

  private String defaultName() {
    Path last = Path.of(DataOptions.permanentName(data)).getFileName();
    String name =
        last == null
            ? "data"
            : last.toString().replaceAll("\\.(csv|tsv|jsonl|ndjson|parquet|zip)(\\.gz)?$", "");
    return name
        + "-"
        + (previous == null ? networkName().split(":", 2)[0] : "continued")
        + ".safetensors";
  }

  private String networkName() {
    if (dataOptions.hasBackbone() && network == null) {
      return TrainingOptions.FEATURES_NETWORK;
    }
    Optional<PublishedWeights> published = published();
    if (published.isPresent()
        && (network == null || network.equals(published.get().network().split(":", 2)[0]))) {
      return published.get().network();
    }
    return network == null ? "mlp" : network;
  }

  private void printNote(String text) {
    spec.commandLine().getErr().println("alfamix: " + text);
    spec.commandLine().getErr().flush();
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
