package org.alfamix.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.LongAdder;
import org.alfamix.command.ExitCode;
import org.alfamix.command.ProgressLine;
import org.alfamix.command.SelectOutputs;
import org.alfamix.command.SelectRequest;
import org.alfamix.command.StandardOutput;
import org.alfamix.command.Terminal;
import org.alfamix.command.Version;
import org.alfamix.io.AtomicFiles;
import org.alfamix.math.KernelWarmUp;
import org.alfamix.math.Parallel;
import org.alfamix.mix.MixStatistics;
import org.alfamix.select.Batch;
import org.alfamix.select.Explanation;
import org.alfamix.select.InputFiles;
import org.alfamix.select.Manifest;
import org.alfamix.select.Query;
import org.alfamix.strategy.AlfaMix;
import org.alfamix.strategy.ConfiguredStrategy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Selects the next items to label, from embeddings, labels and a head. */
@Command(
    name = "select",
    description = {"Select the next items to label, from embeddings of any framework.", ""},
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpWidth = 100,
    footer = {
      "",
      "Examples:",
      "  alfamix select --embeddings pool.npy --labels labels.csv --head head.npz \\",
      "      --budget 100 --output picks.csv",
      "  alfamix select --embeddings pool.parquet --strategy coreset --budget 20",
      "",
      "Exit codes: 0 success, 1 internal error, 2 invalid usage, 3 invalid data, 4 out of memory"
          + " or",
      "disk space, or permission denied.",
      "Guide: docs/guide/select.md"
    })
final class SelectCommand implements Callable<Integer> {
  private static final int MAX_THREADS = 1024;

  @Spec private CommandSpec spec;

  @Mixin private SelectInputs sources;

  @Mixin private SelectRequest request;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Number of threads; 0 for one per processor. Picks do not depend on it.",
      defaultValue = "0")
  private int threads;

  @Option(
      names = "--per-class-cap",
      paramLabel = "C",
      description = "Maximum number of picks per predicted class.")
  private Integer perClassCap;

  @Option(
      names = "--explain",
      paramLabel = "ID",
      description =
          "Explain why this item was picked or not; can be repeated. The explanation is printed to"
              + " standard output, and the picks are written only to --output.")
  private List<String> explain = new ArrayList<>();

  @Mixin private SelectOutputs outputs;

  @Option(names = "--dry-run", description = "Read and validate all inputs, but select nothing.")
  private boolean dryRun;

  @Option(names = "--quiet", description = "Print only the picks and errors.")
  private boolean quiet;

  private final InputFiles inputs = new InputFiles();
  private final Map<String, Double> seconds = new LinkedHashMap<>();
  private final LongAdder rowsRead = new LongAdder();
  private ConfiguredStrategy strategy;
  private int poolSize;
  private int excluded;
  private Stages stages;

  @Override
  public Integer call() throws IOException {
    if (threads < 0 || threads > MAX_THREADS) {
      throw wrongUsage("--threads must be 0 to %d, got %d.".formatted(MAX_THREADS, threads));
    }
    // Created before the pool is read, so that invalid options are reported at once.
    strategy = ConfiguredStrategy.of(request.strategy(), request.options());
    if (outputs.wantsCandidates() && !strategy.name().equals(AlfaMix.ENTRY.name())) {
      throw wrongUsage("--candidates requires the strategy alfamix, got " + strategy.name() + ".");
    }
    if (!explain.isEmpty() && outputs.wantsStandardOutput()) {
      throw wrongUsage(
          "--explain cannot be combined with '--output -', because both use standard output; write"
              + " the picks to a file.");
    }
    List<Path> read = new ArrayList<>(sources.resolve());
    read.addAll(request.files());
    // Outputs must not overwrite inputs.
    outputs.check(read, dryRun);
    stages =
        new Stages(
            new ProgressLine(spec.commandLine().getErr(), !quiet && Terminal.isInteractive()));
    try {
      Batch batch = threads == 0 ? work() : Parallel.with(threads, this::work);
      write(batch);
      return ExitCode.SUCCESS;
    } finally {
      stages.clear();
    }
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Batch work() {
    // Main starts this earlier; tests call the command directly.
    KernelWarmUp.start();
    stages.begin("reading " + sources.description());
    long start = System.nanoTime();
    Query query = read();
    seconds.put("read", secondsSince(start));
    start = System.nanoTime();
    KernelWarmUp.await();
    seconds.put("warmUp", secondsSince(start));
    stages.begin("selecting with " + request.strategy(), this::poolPasses);
    start = System.nanoTime();
    Batch batch = dryRun ? query.dryRun() : query.run();
    // Everything except fitting a head and selecting: gathering and checking the values.
    seconds.put("check", secondsSince(start) - batch.times().head() - batch.times().select());
    return batch;
  }

  /** Describes the progress in passes over the pool: a check of all values, then the selection. */
  private String poolPasses() {
    long rows = rowsRead.sum();
    return poolSize == 0
        ? ""
        : ", pass %d over the pool, %d %%"
            .formatted(1 + rows / poolSize, 100 * (rows % poolSize) / poolSize);
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private Query read() {
    SelectInputs.Reading reading =
        sources.read(request, strategy, explain, digests(), rowsRead, this::printNote);
    poolSize = reading.poolSize();
    excluded = reading.excluded();
    if (perClassCap != null) {
      reading.query().perClassCap(perClassCap);
    }
    return reading.query();
  }

  /** Returns the collector of digests for the manifest; empty if none is written. */
  private Optional<InputFiles> digests() {
    return outputs.manifest() == null ? Optional.empty() : Optional.of(inputs);
  }

  private void printNote(String note) {
    if (!quiet) {
      printWarning(note);
    }
  }

  private void printWarning(String warning) {
    stages.clear();
    spec.commandLine().getErr().println("alfamix: " + warning);
    spec.commandLine().getErr().flush();
  }

  private void write(Batch batch) throws IOException {
    if (batch.remark() != null) {
      printNote(batch.remark() + ".");
    }
    if (dryRun) {
      new BatchDescription(batch, excluded).print(spec.commandLine().getOut());
      explain(batch);
      return;
    }
    // Computed before anything is written: a file that cannot be read is invalid data.
    List<InputFiles.InputFile> digests = inputs.all();
    long start = System.nanoTime();
    stages.clear();
    try (AtomicFiles files = new AtomicFiles()) {
      outputs.writeFiles(batch, files);
      if (outputs.manifest() != null) {
        writeManifest(batch, digests, secondsSince(start), files);
      }
      // Printed when all files are complete, but before any of them is moved into place.
      outputs.print(batch.list(), explain.isEmpty() ? spec.commandLine().getOut() : null);
      explain(batch);
      files.commit();
    }
    if (batch.picks().size() < request.budget()) {
      printWarning(
          "selected only %d items: the classes of all others have reached --per-class-cap %d."
              .formatted(batch.picks().size(), perClassCap));
    }
    if (batch.randomPicks() > 0) {
      printNote(
          "%d of the %d picks were selected at random: only %d items %s."
              .formatted(
                  batch.randomPicks(),
                  batch.picks().size(),
                  batch.selection().orElseThrow().candidates(),
                  batch
                      .mixing()
                      .map(mixing -> "flip up to a cap of " + mixing.cap())
                      .orElse("are candidates")));
    }
    if (outputs.file() != null) {
      printNote(summary(batch));
    }
  }

  private void explain(Batch batch) {
    PrintWriter out = spec.commandLine().getOut();
    for (Explanation explanation : batch.explanations()) {
      new ExplanationText(batch, explanation).print(out);
    }
    StandardOutput.requireWritten(out);
  }

  private String summary(Batch batch) {
    String scope =
        batch
            .mixing()
            .map(
                mixing ->
                    String.format(
                        Locale.ROOT,
                        " of %,d candidates at a cap of %.2g",
                        mixing.candidates().size(),
                        mixing.cap()))
            .orElseGet(
                () -> String.format(Locale.ROOT, " of %,d items", batch.scope().eligible().length));
    return String.format(
        Locale.ROOT,
        "selected %d%s, wrote %s (%.2f s)",
        batch.picks().size(),
        scope,
        outputs.file(),
        batch.times().select());
  }

  private void writeManifest(
      Batch batch, List<InputFiles.InputFile> digests, double writing, AtomicFiles files) {
    seconds.put("head", batch.times().head());
    seconds.put("select", batch.times().select());
    seconds.put("write", writing);
    long start = System.nanoTime();
    Optional<MixStatistics> statistics = batch.statistics();
    statistics.ifPresent(found -> seconds.put("statistics", secondsSince(start)));
    seconds.put("total", secondsSinceStartOfJava());
    new Manifest(
            Version.number(),
            batch,
            digests,
            sources.sql(),
            request.normalize(),
            perClassCap,
            excluded,
            threads == 0 ? Parallel.threads() : threads,
            statistics,
            seconds)
        .write(outputs.manifest(), files);
  }

  /** Returns the seconds since the start of Java, which a user waits for, too. */
  private static double secondsSinceStartOfJava() {
    long start = ManagementFactory.getRuntimeMXBean().getStartTime();
    return (System.currentTimeMillis() - start) / 1e3;
  }
}
