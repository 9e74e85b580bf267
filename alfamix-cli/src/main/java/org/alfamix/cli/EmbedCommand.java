package org.alfamix.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Shell;
import org.alfamix.command.Version;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Inputs;
import org.alfamix.io.AtomicFile;
import org.alfamix.io.DataException;
import org.alfamix.io.Digest;
import org.alfamix.io.array.Npy;
import org.alfamix.io.table.Csv;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.TrainingRecord;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.select.HeadWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes the embeddings of a pool by a trained network, as input for {@code select}. */
@Command(
    name = "embed",
    description = {
      "Compute the embeddings of a pool with a trained network, and write them with its head and"
          + " its labels as input for 'select'. With --backbone and without --checkpoint, compute"
          + " the features of images, videos or texts with a pre-trained network; for texts,"
          + " --backbone is optional.",
      "",
      "The folder receives pool.npy (one row per item of the pool), head.npz (weight, bias and"
          + " class names), labels.csv (the items that the network was trained on), items.csv (the"
          + " file or line of each row) and truth.csv (all known classes). Without --checkpoint,"
          + " head.npz and labels.csv are omitted.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true)
final class EmbedCommand implements Callable<Integer> {
  /** The file with the digest of labels.csv at the time of writing. */
  private static final String LABELS_DIGEST = ".labels.sha256";

  @Spec private CommandSpec spec;

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      description = "A model saved by 'alfamix train'.")
  private Path checkpoint;

  @Option(
      names = "--data",
      paramLabel = "NAME|PATH",
      description = "The data set (default: the training data of the model).",
      completionCandidates = DataOptions.Names.class)
  private String data;

  @Option(
      names = "--output",
      paramLabel = "FOLDER",
      required = true,
      description = "The output folder, which is created if necessary.")
  private Path output;

  @Mixin private DeviceOptions device;

  @Mixin private DataOptions dataOptions;

  @Override
  public Integer call() {
    if (Files.exists(output) && !Files.isDirectory(output)) {
      throw new ParameterException(spec.commandLine(), output + " is a file, expected a folder.");
    }
    if (checkpoint == null) {
      writeFeatures();
      return ExitCode.SUCCESS;
    }
    LearnerEngine.Loaded loaded =
        LearnerEngine.find().load(checkpoint, device.threads(), device.name());
    try (Learner learner = loaded.learner()) {
      TrainingRecord training = loaded.training();
      Dataset dataset =
          dataOptions.readAgain(
              data == null ? training.data() : data, training.reading(), device.name());
      requireCompatible(dataset, learner, training);
      write(dataset, learner, training);
    }
    return ExitCode.SUCCESS;
  }

  private void requireCompatible(Dataset dataset, Learner learner, TrainingRecord training) {
    CheckpointData.requireSameItemsAndClasses(checkpoint, learner.spec(), dataset);
    if (!training.fingerprint().equals(dataset.fingerprint())) {
      throw new DataException(
          "%s was trained on a different pool than that of %s: items were added, removed or changed,"
                  .formatted(checkpoint, dataset.name())
              + " and its labels would be assigned to other items; train again.");
    }
    for (int item : training.items()) {
      if (item < 0 || item >= dataset.pool().size()) {
        throw new DataException(
            "%s was trained on item %d, but the pool of %s has only %d items."
                .formatted(checkpoint, item, dataset.name(), dataset.pool().size()));
      }
    }
    for (int label : training.labels()) {
      if (label < 0 || label >= dataset.classes()) {
        throw new DataException(
            "%s: found label %d, expected 0 to %d."
                .formatted(checkpoint, label, dataset.classes() - 1));
      }
    }
  }

  /** Writes the features of the pool by a backbone, without a head or labels. */
  private void writeFeatures() {
    if (data == null || !dataOptions.hasBackbone() && !dataOptions.readsTexts(data)) {
      throw new ParameterException(
          spec.commandLine(), "Missing --checkpoint FILE, or --data and --backbone.");
    }
    long start = System.nanoTime();
    Dataset dataset = dataOptions.read(data, device.name());
    double seconds = (System.nanoTime() - start) / 1e9;
    createFolder();
    Inputs inputs = dataset.pool().inputs();
    int[] all = IntStream.range(0, inputs.size()).toArray();
    Map<String, AtomicFile.StreamWriter> files = new LinkedHashMap<>();
    files.put("pool.npy", out -> Npy.write(out, features(inputs)));
    addItemFiles(files, dataset, all);
    AtomicFile.writeAll(output, files);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%s: %,d x %,d features in %.2f s.%nWrote pool.npy, items.csv and truth.csv to %s.%n",
        dataset.name(),
        inputs.size(),
        inputs.shape().length(),
        seconds,
        output);
    out.printf(
        "Next, label some rows (id,label) and run:%n%n  %s select --embeddings %s --labels"
            + " LABELS.csv --budget %d%n",
        Shell.alfamix(),
        Shell.quote(output.resolve("pool.npy").toString()),
        Math.min(100, inputs.size()));
    out.flush();
  }

  private static FloatMatrix features(Inputs inputs) {
    FloatMatrix features = FloatMatrix.zeros(inputs.size(), inputs.shape().length());
    for (int i = 0; i < inputs.size(); i++) {
      inputs.read(i, features.array(), features.rowOffset(i));
    }
    return features;
  }

  private void createFolder() {
    try {
      Files.createDirectories(output);
    } catch (IOException e) {
      throw new UncheckedIOException(output + ": cannot be written: " + e.getMessage(), e);
    }
  }

  private static void addItemFiles(
      Map<String, AtomicFile.StreamWriter> files, Dataset dataset, int[] all) {
    int[] known = dataset.labelledItems();
    files.put("items.csv", text(table("item", all, i -> dataset.pool().inputs().id(i))));
    files.put(
        "truth.csv",
        text(
            table(
                "label", known, i -> dataset.classNames().get(dataset.pool().labels()[known[i]]))));
  }

  private void write(Dataset dataset, Learner learner, TrainingRecord training) {
    if (!(learner.head() instanceof LinearHead head)) {
      throw new DataException(
          "%s: the head of %s is not linear and cannot be exported."
              .formatted(checkpoint, learner.spec().network()));
    }
    createFolder();
    int size = dataset.pool().size();
    int[] all = IntStream.range(0, size).toArray();
    long start = System.nanoTime();
    FloatMatrix embeddings = learner.embed(dataset.pool().inputs(), all);
    double seconds = (System.nanoTime() - start) / 1e9;
    Map<String, AtomicFile.StreamWriter> files = new LinkedHashMap<>();
    files.put("pool.npy", out -> Npy.write(out, embeddings));
    files.put("head.npz", out -> HeadWriter.write(out, head, learner.spec().classNames()));
    String labels =
        table("label", training.items(), i -> dataset.classNames().get(training.labels()[i]));
    requireNoAddedLabels(labels);
    files.put("labels.csv", text(labels));
    files.put(LABELS_DIGEST, text(digest(labels)));
    addItemFiles(files, dataset, all);
    AtomicFile.writeAll(output, files);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%s: %,d embeddings of %d values by %s in %.2f s (%,.0f items per second), %,d of them"
            + " labelled.%n",
        dataset.name(),
        size,
        learner.features(),
        learner.spec().network(),
        seconds,
        size / Math.max(1e-9, seconds),
        training.items().length);
    out.printf("Wrote pool.npy, head.npz, labels.csv, items.csv and truth.csv to %s.%n", output);
    int unlabelled = size - training.items().length;
    if (unlabelled > 0) {
      out.printf(
          "Next, run:%n%n %s select --embeddings %s --labels %s --head %s --budget %d%n",
          Shell.alfamix(),
          Shell.quote(output.resolve("pool.npy").toString()),
          Shell.quote(output.resolve("labels.csv").toString()),
          Shell.quote(output.resolve("head.npz").toString()),
          Math.min(100, unlabelled));
    }
    out.flush();
  }

  /** Fails if labels were added to the file after it was written, which would be lost. */
  private void requireNoAddedLabels(String labels) {
    Path file = output.resolve("labels.csv");
    Path digest = output.resolve(LABELS_DIGEST);
    if (!Files.exists(file)) {
      return;
    }
    try {
      if (Files.exists(digest) && Files.readString(digest).equals(Digest.of(file).sha256())) {
        return; // unchanged
      }
      Set<String> written = labels.lines().collect(Collectors.toSet());
      for (String line : Files.readAllLines(file)) {
        if (!written.contains(line)) {
          throw new DataException(
              "%s: '%s' is not one of the training labels and would be lost; move the file or use"
                      .formatted(file, line)
                  + " another --output folder.");
        }
      }
    } catch (IOException e) {
      throw DataException.unreadable(file, e);
    }
  }

  private static String digest(String text) {
    try {
      return Digest.of(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))).sha256();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AtomicFile.StreamWriter text(String text) {
    return out -> out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns a table of the pool's rows with a value for each. */
  private static String table(String column, int[] rows, IntFunction<String> value) {
    StringBuilder text = new StringBuilder("id," + column + "\n");
    for (int i = 0; i < rows.length; i++) {
      text.append(rows[i]).append(',').append(Csv.quoted(value.apply(i))).append('\n');
    }
    return text.toString();
  }
}
