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
      "Exit codes: 0 success, 2 wrong usage, 3 invalid data, 4 a resource is exhausted.",
      "Guide: docs/guide/select.md"
    })
final class SelectCommand implements Callable<Integer> {
  private static final int MOST_THREADS = 1024;

  @Spec private CommandSpec spec;

  @Mixin private SelectInputs from;

  @Mixin private SelectRequest request;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Number of threads; 0 for one per processor. The picks do not depend on it.",
      defaultValue = "0")
  private int threads;

  @Option(
      names = "--per-class-cap",
      paramLabel = "C",
      description = "Maximum number of picks of one predicted class.")
  private Integer perClassCap;

  @Option(
      names = "--explain",
      paramLabel = "ID",
      description =
          "Explain why this item was picked or not; may be repeated. The explanation goes to"
              + " standard output, and the picks only to --output.")
  private List<String> explain = new ArrayList<>();

  @Mixin private SelectOutputs outputs;

  @Option(names = "--dry-run", description = "Read and validate all inputs without selecting.")
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
    if (threads < 0 || threads > MOST_THREADS) {
      throw wrongUsage("--threads must be 0 to %d, got %d.".formatted(MOST_THREADS, threads));
    }
    // Created before the pool is read, so that a typo is reported at once.
    strategy = ConfiguredStrategy.of(request.strategy(), request.options());
    if (outputs.wantsCandidates() && !strategy.name().equals(AlfaMix.ENTRY.name())) {
      throw wrongUsage(
          "--candidates: only alfamix has candidates, " + strategy.name() + " has none.");
    }
    if (!explain.isEmpty() && outputs.wantsStandardOutput()) {
      throw wrongUsage("--explain and '--output -' both use standard output; name a file.");
    }
    List<Path> read = new ArrayList<>(from.resolve());
    read.addAll(request.files());
    // None of the files that are read may be written.
    outputs.check(read, dryRun);
    stages =
        new Stages(new ProgressLine(spec.commandLine().getErr(), !quiet && Terminal.isThere()));
    try {
      Batch batch = threads == 0 ? work() : Parallel.with(threads, this::work);
      write(batch);
      return ExitCode.DONE;
    } finally {
      stages.clear();
    }
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Batch work() {
    // Where main has not begun it already, as in tests.
    KernelWarmUp.begin();
    stages.begin("reading " + from.description());
    long start = System.nanoTime();
    Query query = read();
    seconds.put("read", since(start));
    start = System.nanoTime();
    KernelWarmUp.await();
    seconds.put("warmUp", since(start));
    stages.begin("selecting by " + request.strategy(), this::passesOverThePool);
    start = System.nanoTime();
    Batch batch = dryRun ? query.dryRun() : query.run();
    // What is neither the head nor the choice: gathering, checking every value.
    seconds.put("check", since(start) - batch.times().head() - batch.times().select());
    return batch;
  }

  /** Most methods read the pool once or twice: the first time to check it, then to choose. */
  private String passesOverThePool() {
    long rows = rowsRead.sum();
    return poolSize == 0
        ? ""
        : ", pass %d over the pool, %d %%"
            .formatted(1 + rows / poolSize, 100 * (rows % poolSize) / poolSize);
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private Query read() {
    SelectInputs.Reading reading =
        from.read(request, strategy, explain, digests(), rowsRead, this::say);
    poolSize = reading.poolSize();
    excluded = reading.excluded();
    if (perClassCap != null) {
      reading.query().perClassCap(perClassCap);
    }
    return reading.query();
  }

  /** Digests are for the manifest alone. */
  private Optional<InputFiles> digests() {
    return outputs.manifest() == null ? Optional.empty() : Optional.of(inputs);
  }

  private void say(String remark) {
    if (!quiet) {
      complain(remark);
    }
  }

  private void complain(String remark) {
    stages.clear();
    spec.commandLine().getErr().println("alfamix: " + remark);
    spec.commandLine().getErr().flush();
  }

  private void write(Batch batch) throws IOException {
    if (batch.remark() != null) {
      say(batch.remark().endsWith("?") ? batch.remark() : batch.remark() + ".");
    }
    if (dryRun) {
      new BatchDescription(batch, excluded).print(spec.commandLine().getOut());
      explain(batch);
      return;
    }
    // Before anything is written: a file that cannot be digested is bad data.
    List<InputFiles.InputFile> digests = inputs.all();
    long start = System.nanoTime();
    stages.clear();
    try (AtomicFiles files = new AtomicFiles()) {
      outputs.writeFiles(batch, files);
      if (outputs.manifest() != null) {
        writeManifest(batch, digests, since(start), files);
      }
      // Print once all files are complete, but before any of them is moved into place.
      outputs.print(batch.list(), explain.isEmpty() ? spec.commandLine().getOut() : null);
      explain(batch);
      files.commit();
    }
    if (batch.picks().size() < request.budget()) {
      complain(
          "only %d picks: no more items are left under --per-class-cap %d."
              .formatted(batch.picks().size(), perClassCap));
    }
    if (batch.drawnAtRandom() > 0) {
      say(
          "%d of the %d picks were drawn at random: only %d items flip up to a cap of %s."
              .formatted(
                  batch.drawnAtRandom(),
                  batch.picks().size(),
                  batch.selection().orElseThrow().candidates(),
                  batch.mixing().orElseThrow().cap()));
    }
    if (outputs.file() != null) {
      say(summary(batch));
    }
  }

  private void explain(Batch batch) {
    PrintWriter out = spec.commandLine().getOut();
    for (Explanation explanation : batch.explanations()) {
      new ExplanationText(batch, explanation).print(out);
    }
    SelectOutputs.requireWritten(out);
  }

  private String summary(Batch batch) {
    String from =
        batch
            .mixing()
            .map(
                mixing ->
                    String.format(
                        Locale.ROOT,
                        " of %,d candidates at cap %.2g",
                        mixing.candidates().size(),
                        mixing.cap()))
            .orElseGet(
                () -> String.format(Locale.ROOT, " of %,d items", batch.scope().eligible().length));
    return String.format(
        Locale.ROOT,
        "%d picks%s in %s (%.2f s)",
        batch.picks().size(),
        from,
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
    statistics.ifPresent(found -> seconds.put("statistics", since(start)));
    seconds.put("total", sinceStartOfJava());
    new Manifest(
            Version.number(),
            batch,
            digests,
            from.sql(),
            request.normalize(),
            perClassCap,
            excluded,
            threads == 0 ? Parallel.threads() : threads,
            statistics,
            seconds)
        .write(outputs.manifest(), files);
  }

  /** With the start of Java itself: what a person waits for. */
  private static double sinceStartOfJava() {
    long start = ManagementFactory.getRuntimeMXBean().getStartTime();
    return (System.currentTimeMillis() - start) / 1e3;
  }
}
