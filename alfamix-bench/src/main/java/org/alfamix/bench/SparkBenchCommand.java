package org.alfamix.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures selections on Spark for pools of growing size, all larger than the heap. */
@Command(
    name = "spark",
    description = {
      "Select from Parquet pools of growing size on Spark: seconds per phase, memory, and rows per"
          + " second and core in comparison with the local engine.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class SparkBenchCommand implements Callable<Integer> {
  private static final double GIGA = 1e9;

  @Option(
      names = "--sizes",
      description = "The sizes of the pools, in items, separated by commas.",
      split = ",",
      defaultValue = "1000000,5000000,10000000")
  private List<Long> sizes;

  @Option(names = "--features", description = "Number of features.", defaultValue = "128")
  private int features;

  @Option(names = "--classes", description = "Number of classes.", defaultValue = "10")
  private int classes;

  @Option(names = "--budget", description = "Number of items to select.", defaultValue = "10000")
  private int budget;

  @Option(
      names = "--cap-step",
      description =
          "The option capStep of alfamix, large enough that all sizes use the same clustering.",
      defaultValue = "0.25")
  private double capStep;

  @Option(
      names = "--heap",
      description = "The maximum heap, as for Java's -Xmx.",
      defaultValue = "3g")
  private String heap;

  @Option(
      names = "--local-size",
      description = "Number of rows of the pool for the local engine; 0 for the smallest pool.",
      defaultValue = "0")
  private long localSize;

  @Option(
      names = "--local-heap",
      description = "The maximum heap of the local engine.",
      defaultValue = "3g")
  private String localHeap;

  @Option(
      names = "--cores",
      description = "Number of cores of the local master.",
      defaultValue = "2")
  private int cores;

  @Option(
      names = "--strategies",
      description = "The strategies to measure, separated by commas.",
      split = ",",
      defaultValue = "alfamix")
  private List<String> strategies;

  @Option(names = "--launcher", description = "The launcher.", defaultValue = "./alfamix")
  private Path launcher;

  @Option(
      names = "--arrays",
      description = "The folder for the pools; missing pools are created.",
      defaultValue = "target/bench-arrays")
  private Path arrays;

  @Override
  public Integer call() throws IOException {
    System.out.printf(
        "Measured on: %s; Spark with local[%d], heap of at most %s.%n%n",
        Machine.description(), cores, heap);
    System.out.println(
        "| method | rows | Parquet GB | seconds | labelled | scan | other phases | candidates |"
            + " pass, rows/s/core | kernels, rows/s/core | heap after GC, GB | peak resident GB |");
    System.out.println("|---|---:|---:|---:|---:|---:|---|---:|---:|---:|---:|---:|");
    for (String strategy : strategies) {
      for (long size : sizes) {
        print(strategy, size);
      }
    }
    printLocal(localSize > 0 ? localSize : sizes.get(0));
    return 0;
  }

  private Path pool(long size) {
    Path folder = arrays.resolve("spark-%dx%dx%d".formatted(size, features, classes));
    if (!Files.exists(folder.resolve("labels.csv"))) {
      ChildProcess.run(
          List.of(
              launcher.toAbsolutePath().toString(),
              "spark",
              "example",
              folder.toString(),
              "--rows=" + size,
              "--features=" + features,
              "--classes=" + classes,
              "--partitions=" + Math.max(1, size / 200_000),
              "--master=local[" + cores + "]"),
          Map.of());
    }
    return folder;
  }

  private List<String> options(Path folder, String strategy) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "--embeddings",
                folder.resolve("pool") + "/*.parquet",
                "--labels",
                folder.resolve("labels.csv").toString(),
                "--strategy",
                strategy,
                "--budget",
                Integer.toString(budget),
                "--output",
                folder.resolve("picks-" + strategy + ".csv").toString()));
    if (strategy.equals("alfamix")) {
      options.addAll(List.of("--option", "capStep=" + capStep));
    }
    return options;
  }

  private void print(String strategy, long size) throws IOException {
    Path folder = pool(size);
    Path log = folder.resolve("gc.log");
    List<String> options = options(folder, strategy);
    options.addAll(List.of("--master", "local[" + cores + "]"));
    Launcher.Run run =
        new Launcher(launcher)
            .run(
                folder,
                "-Xmx" + heap + " -Xlog:gc:file=" + log,
                List.of("spark", "select"),
                options);
    Map<String, Double> seconds = run.seconds("seconds");
    double scan = seconds.getOrDefault("scan", Double.NaN);
    List<String> others = new ArrayList<>();
    seconds.forEach(
        (phase, time) -> {
          if (!List.of("scan", "labelled", "total").contains(phase) && time >= 0.5) {
            others.add(String.format(Locale.ROOT, "%s %.1f", phase, time));
          }
        });
    System.out.printf(
        Locale.ROOT,
        "| %s | %,d | %.2f | %.0f | %.1f | %.1f | %s | %,d | %,.0f | %,.0f | %.2f | %.2f |%n",
        strategy,
        size,
        bytes(folder.resolve("pool")) / GIGA,
        run.seconds(),
        seconds.getOrDefault("labelled", 0.0),
        scan,
        String.join(", ", others),
        (long) run.number("candidates"),
        size / scan / cores,
        size / run.number("kernelSeconds"),
        afterCollection(log) / 1e3,
        run.number("peakResidentBytes") / GIGA);
    System.out.flush();
  }

  private static double bytes(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /** Returns the maximum number of megabytes in use after a garbage collection. */
  private static double afterCollection(Path log) throws IOException {
    Matcher matcher = Pattern.compile("->(\\d+)M").matcher(Files.readString(log));
    double most = 0;
    while (matcher.find()) {
      most = Math.max(most, Double.parseDouble(matcher.group(1)));
    }
    return most;
  }

  private void printLocal(long size) throws IOException {
    Path folder = pool(size);
    Launcher.Run run =
        new Launcher(launcher).select(folder, "-Xmx" + localHeap, options(folder, "alfamix"));
    double read = run.number("read") + run.number("check");
    Map<String, Double> phases = run.seconds("phases");
    double score = phases.get("scan") + phases.get("candidates");
    System.out.printf(
        Locale.ROOT,
        "%nThe local engine on %,d rows of the same pool, with %d threads: %.1f s for reading and"
            + " checking, %.2f s for scoring: %,.0f rows/s/core with reading, %,.0f without.%n",
        size,
        cores,
        read,
        score,
        size / (read + score) / cores,
        size / score / cores);
  }
}
