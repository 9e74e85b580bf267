package org.alfamix.spark.command;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.alfamix.command.ExitCode;
import org.alfamix.command.SelectOutputs;
import org.alfamix.command.SelectRequest;
import org.alfamix.command.Version;
import org.alfamix.io.AtomicFiles;
import org.alfamix.select.BatchFormat;
import org.alfamix.select.HeadReader;
import org.alfamix.spark.BatchSelector;
import org.alfamix.spark.SparkBatch;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import picocli.CommandLine;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code select} for pools that exceed one machine. */
@Command(
    name = "select",
    description = {
      "Select the next items to label from a table, with Apache Spark on any number of machines.",
      "The picks are those of 'alfamix select' on the same items in the order of their ids.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    usageHelpWidth = 100,
    footer = {
      "",
      "Strategies: alfamix, random, entropy, least-confidence, margin, badge, coreset.",
      "Without --labels, --label-column is a column of the pool. Tables have no row numbers:",
      "only heads can be .npy files, and labels must be a table with ids.",
      "Exit codes: 0 success, 1 internal error, 2 invalid usage, 3 invalid data, 4 out of memory"
          + " or",
      "disk space, or permission denied.",
      "Guide: docs/guide/spark.md"
    })
final class SparkSelectCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  /** The source of the pool. */
  static final class Source {
    @Option(
        names = "--embeddings",
        paramLabel = "PATH",
        description =
            "The pool: a .parquet, .orc or .jsonl file, a quoted glob, or a folder of Parquet"
                + " files, on any file system that Spark supports.")
    private String location;

    @Option(
        names = "--embeddings-sql",
        paramLabel = "SQL",
        description = "The pool as a Spark SQL query: SELECT id, embedding FROM parquet.`pool`.")
    private String sql;
  }

  @ArgGroup(multiplicity = "1")
  private Source source;

  @Mixin private SessionOptions session;
  @Mixin private SelectRequest request;

  @Option(
      names = "--bad-rows",
      paramLabel = "ACTION",
      description =
          "Rows whose id or embedding is null, or whose embedding is not finite or has the wrong"
              + " length: fail (the default), or skip and count them.",
      defaultValue = "fail")
  private String badRows;

  @Option(
      names = "--driver-mb",
      paramLabel = "MB",
      description =
          "Maximum size of embeddings on the driver. Larger pools are processed in rounds, and if"
              + " there are more candidates, a sample of them is clustered (default: an eighth of"
              + " the heap of the driver, at most 512).",
      defaultValue = "0")
  private long driverMegabytes;

  @Option(
      names = "--clustering",
      paramLabel = "METHOD",
      description =
          "Clustering method if the candidates exceed --driver-mb: sample (the engine's k-means on"
              + " a sample that fits the driver) or mllib (k-means|| on the cluster) (default:"
              + " ${DEFAULT-VALUE}).",
      defaultValue = "sample")
  private String clustering;

  @Mixin private SelectOutputs outputs;

  @Option(
      names = "--output-folder",
      paramLabel = "FOLDER",
      description = "Folder for the picks as Parquet, on any file system that Spark supports.")
  private String outputFolder;

  @Option(names = "--dry-run", description = "Only check the columns; do not read items.")
  private boolean dryRun;

  @Option(names = "--quiet", description = "Print only the picks and errors.")
  private boolean quiet;

  private long started;

  @Override
  public Integer call() {
    started = System.nanoTime();
    outputs.check(request.files(), dryRun);
    checkOutputs();
    if (!session.isKnown()) {
      throw wrongUsage(
          "Invalid --master; expected local[N], spark://host:port, yarn or"
              + " k8s://https://host:port.");
    }
    // Reports typing errors before Spark starts.
    BatchSelector selector = selector();
    selector.checkRequest();
    try {
      return SessionOptions.using(session.open("select", quiet), spark -> select(spark, selector));
    } catch (CommandLine.PicocliException e) {
      throw e;
    } catch (RuntimeException e) {
      throw SparkFailure.translate(e);
    }
  }

  /** Rejects outputs that would fail at the end. */
  private void checkOutputs() {
    if (outputs.format() == BatchFormat.NPY) {
      throw wrongUsage(
          "npy is not supported because tables have no row numbers; write csv or jsonl.");
    }
    if (outputs.format() == BatchFormat.PARQUET && !session.isLocal()) {
      throw wrongUsage("Remote executors cannot write local Parquet files; use --output-folder.");
    }
    if (outputs.candidates() != null) {
      if (!request.strategy().equals("alfamix")) {
        throw wrongUsage(
            "--candidates: only alfamix has candidates; the strategy is "
                + request.strategy()
                + ".");
      }
      if (!outputs.candidates().toString().toLowerCase(Locale.ROOT).endsWith(".csv")) {
        throw wrongUsage("--candidates must be a .csv file, got " + outputs.candidates() + ".");
      }
    }
    for (Path file : new Path[] {outputs.file(), outputs.manifest(), outputs.candidates()}) {
      boolean read =
          file != null
              && (source.location != null
                  ? isRead(source.location, file)
                  : source.sql.contains(file.toString()));
      if (read) {
        throw wrongUsage(file + " is both an input and an output; it would be overwritten.");
      }
    }
  }

  /** Returns whether a local file is an input of the pool or in an input folder. */
  private static boolean isRead(String location, Path file) {
    String local = location.replaceFirst("^file:(//)?(?=/)", "");
    if (local.contains("://")) {
      return false;
    }
    Path read = Path.of(local).toAbsolutePath().normalize();
    Path written = file.toAbsolutePath().normalize();
    return written.startsWith(read)
        || FileSystems.getDefault().getPathMatcher("glob:" + read).matches(written);
  }

  private void requireFreeFolder(SparkSession spark) throws IOException {
    if (outputFolder == null) {
      return;
    }
    org.apache.hadoop.fs.Path folder = new org.apache.hadoop.fs.Path(outputFolder);
    if (folder.getFileSystem(spark.sparkContext().hadoopConfiguration()).exists(folder)) {
      throw wrongUsage("--output-folder " + outputFolder + " already exists.");
    }
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private BatchSelector selector() {
    BatchSelector selector =
        new BatchSelector()
            .setStrategy(request.strategy())
            .setSeed(request.seed())
            .setNormalize(request.normalize())
            .setBadRows(badRows)
            .setClustering(clustering);
    if (request.budget() < 1) {
      throw wrongUsage("The budget must be at least 1, got " + request.budget() + ".");
    }
    if (driverMegabytes < 0) {
      throw wrongUsage("--driver-mb must be at least 0, got " + driverMegabytes + ".");
    }
    request.options().forEach(selector::setOption);
    return selector.setBudget(request.budget()).setDriverBytes(driverMegabytes << 20);
  }

  private int select(SparkSession spark, BatchSelector selector) {
    try {
      requireFreeFolder(spark);
      PoolInput pool = PoolInput.read(spark, source.location, source.sql, request, !dryRun);
      selector.setIdCol(pool.idColumn()).setEmbeddingCol(pool.embeddingColumn());
      if (pool.labelColumn() != null) {
        selector.setLabelCol(pool.labelColumn());
      }
      if (pool.excluded() != null) {
        selector.setExcluded(pool.excluded());
      }
      if (pool.labelled() != null) {
        selector.setLabelCol(PoolInput.LABEL).setLabelled(pool.labelled());
      }
      List<String> names = request.classNames();
      HeadReader.Reading head = request.readHead(pool::features);
      if (head != null) {
        selector.setHead(head.head());
        names = names == null ? head.classNames() : names;
        printNote(head.remark());
      }
      if (names != null) {
        selector.setClassNames(names.toArray(new String[0]));
      }
      selector.transformSchema(pool.table().schema());
      if (dryRun) {
        spec.commandLine()
            .getOut()
            .println("The columns are valid; nothing was selected (--dry-run).");
        return ExitCode.SUCCESS;
      }
      SparkBatch batch = selector.select(pool.table());
      write(spark, selector, pool, batch);
      return ExitCode.SUCCESS;
    } catch (ParameterException e) {
      throw e;
    } catch (Exception e) {
      throw SparkFailure.translate(e);
    }
  }

  private void printNote(String remark) {
    if (!quiet && remark != null) {
      spec.commandLine().getErr().println("alfamix: " + remark);
      spec.commandLine().getErr().flush();
    }
  }

  private void write(SparkSession spark, BatchSelector selector, PoolInput pool, SparkBatch batch)
      throws IOException {
    if (batch.remark() != null) {
      printNote(batch.remark() + ".");
    }
    if (batch.skipped() > 0) {
      spec.commandLine()
          .getErr()
          .printf(
              "alfamix: %,d row%s skipped. %s%n",
              batch.skipped(),
              batch.skipped() == 1 ? " was" : "s were",
              batch.notes().get("skipped"));
    }
    List<Row> rows = batch.picks().collectAsList();
    Picks picks = new Picks(rows, request.strategy());
    try (AtomicFiles files = new AtomicFiles()) {
      if (outputs.candidates() != null) {
        Picks.writeCandidates(selector.candidates(pool.table()), outputs.candidates(), files);
      }
      if (outputFolder != null) {
        batch.picks().coalesce(1).write().mode(SaveMode.ErrorIfExists).parquet(outputFolder);
      }
      if (outputs.format() == BatchFormat.PARQUET) {
        picks.writeParquet(batch.picks(), outputs.file(), files);
      } else if (outputs.file() != null || outputFolder == null) {
        outputs.writePicks(picks.list(), files);
      }
      if (outputs.manifest() != null) {
        Map<String, Double> seconds = new LinkedHashMap<>(batch.seconds());
        seconds.put("total", sinceStartOfJava());
        new SparkManifest(spark, request, source.location, source.sql, batch, seconds)
            .write(outputs.manifest(), files);
      }
      if (outputFolder == null) {
        outputs.print(picks.list(), spec.commandLine().getOut());
      }
      files.commit();
    }
    for (String topic : List.of("clustering", "clustered", "filled", "rounds", "kernels")) {
      String note = batch.notes().get(topic);
      // Clustering by the local engine is not worth a note.
      if (note != null && (!topic.equals("clustering") || isNotable(note))) {
        printNote(topic + ": " + note + ".");
      }
    }
    if (batch.toppedUp() > 0) {
      printNote(
          "%d of the %d picks were selected at random: only %d items flip up to a cap of %s."
              .formatted(batch.toppedUp(), rows.size(), batch.candidates(), batch.cap()));
    }
    if (outputs.file() != null || outputFolder != null) {
      printNote(summary(rows.size(), batch));
    }
  }

  private static boolean isNotable(String clustering) {
    return clustering.startsWith("approximate: ") || clustering.startsWith("MLlib");
  }

  private String summary(int picks, SparkBatch batch) {
    String from =
        Double.isNaN(batch.cap())
            ? String.format(Locale.ROOT, " of %,d items", batch.unlabelled())
            : String.format(
                Locale.ROOT,
                " of %,d candidates at a cap of %.2g, from %,d items",
                batch.candidates(),
                batch.cap(),
                batch.unlabelled());
    return String.format(
        Locale.ROOT,
        "selected %d%s, wrote %s (%.1f s)",
        picks,
        from,
        outputs.file() != null ? outputs.file() : outputFolder,
        (System.nanoTime() - started) / 1e9);
  }

  /** Returns the time since the start of Java, in seconds. */
  private static double sinceStartOfJava() {
    long start = ManagementFactory.getRuntimeMXBean().getStartTime();
    return (System.currentTimeMillis() - start) / 1e3;
  }
}
