package org.alfamix.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.alfamix.data.DataException;
import org.alfamix.data.array.Npy;
import org.alfamix.dataset.Dataset;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.TrainingRecord;
import org.alfamix.math.FloatMatrix;
import org.alfamix.query.AtomicFile;
import org.alfamix.query.HeadWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Writes what a trained network makes of a pool, for {@code select} to read. */
@Command(
    name = "embed",
    description = {
      "Write the embeddings of a pool by a trained network, its head and its labels, as 'select'"
          + " reads them.",
      "",
      "The folder gets pool.npy (a row per item of the pool), head.npz (weight, bias and the names"
          + " of the classes) and labels.csv (the items the network was trained on).",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true)
final class EmbedCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--checkpoint",
      paramLabel = "FILE",
      required = true,
      description = "A model that 'alfamix train' saved.")
  private Path checkpoint;

  @Option(
      names = "--data",
      paramLabel = "NAME|PATH",
      description = "The data set (default: the one that the model was trained on).",
      completionCandidates = DataOptions.Names.class)
  private String data;

  @Option(
      names = "--output",
      paramLabel = "FOLDER",
      required = true,
      description = "Where to write; made where it is not there.")
  private Path output;

  @Mixin private DeviceOptions device;

  @Mixin private DataOptions dataOptions;

  @Override
  public Integer call() {
    if (Files.exists(output) && !Files.isDirectory(output)) {
      throw new ParameterException(spec.commandLine(), output + " is a file, expected a folder.");
    }
    LearnerEngine.Loaded loaded =
        LearnerEngine.find().load(checkpoint, device.threads(), device.name());
    try (Learner learner = loaded.learner()) {
      TrainingRecord learnt = loaded.training();
      Dataset dataset =
          dataOptions.readAgain(
              data == null ? learnt.data() : data,
              learnt.labelColumn(),
              learner.spec().input().height());
      requireSame(dataset, learner, learnt);
      write(dataset, learner, learnt);
    }
    return ExitCode.DONE;
  }

  private void requireSame(Dataset dataset, Learner learner, TrainingRecord training) {
    if (!learner.spec().input().equals(dataset.shape())) {
      throw new DataException(
          "%s was trained on items of %s, but those of %s have %s."
              .formatted(checkpoint, learner.spec().input(), dataset.name(), dataset.shape()));
    }
    if (!learner.spec().classNames().equals(dataset.classNames())
        || training.poolSize() != dataset.pool().size()) {
      throw new DataException(
          "%s was trained on %d classes and a pool of %d items, but %s has %d and %d: its labels"
                  .formatted(
                      checkpoint,
                      learner.spec().classes(),
                      training.poolSize(),
                      dataset.name(),
                      dataset.classes(),
                      dataset.pool().size())
              + " would name other items.");
    }
  }

  private void write(Dataset dataset, Learner learner, TrainingRecord training) {
    try {
      Files.createDirectories(output);
    } catch (IOException e) {
      throw new UncheckedIOException(output + ": cannot be written: " + e.getMessage(), e);
    }
    int size = dataset.pool().size();
    long start = System.nanoTime();
    FloatMatrix embeddings =
        learner.embed(dataset.pool().inputs(), IntStream.range(0, size).toArray());
    double seconds = (System.nanoTime() - start) / 1e9;
    AtomicFile.write(output.resolve("pool.npy"), out -> Npy.write(out, embeddings));
    HeadWriter.write(output.resolve("head.npz"), learner.head(), learner.spec().classNames());
    StringBuilder labels = new StringBuilder("id,label\n");
    for (int i = 0; i < training.items().length; i++) {
      String name = dataset.classNames().get(training.labels()[i]);
      labels.append(training.items()[i]).append(',').append(field(name)).append('\n');
    }
    AtomicFile.write(
        output.resolve("labels.csv"),
        out -> out.write(labels.toString().getBytes(StandardCharsets.UTF_8)));
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "%s: %,d embeddings of %d values by %s in %.2f s (%,.0f items a second), %,d of them"
            + " labelled.%n",
        dataset.name(),
        size,
        learner.features(),
        learner.spec().network(),
        seconds,
        size / Math.max(1e-9, seconds),
        training.items().length);
    out.printf("Wrote pool.npy, head.npz and labels.csv to %s. Now try:%n%n", output);
    out.printf(
        "  alfamix select --embeddings %1$s/pool.npy --labels %1$s/labels.csv --head %1$s/head.npz"
            + " --budget 100%n",
        output);
    out.flush();
  }

  /** A field of CSV, quoted where it must be. */
  private static String field(String text) {
    return text.matches("[^\",\r\n]*") ? text : '"' + text.replace("\"", "\"\"") + '"';
  }
}
