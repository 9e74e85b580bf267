package org.alfamix.bench;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.alfamix.math.Parallel;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures one method on one pool in this process; other benchmarks start it as a child. */
@Command(
    name = "measure",
    description = "Measure one method on one pool.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class MeasureCommand implements Callable<Integer> {

  @Option(names = "--arrays", description = "The folder with z, zl, yl, W and b as .npy.")
  private Path arrays;

  @Option(
      names = "--size",
      description = "Number of items of a synthetic pool, instead of --arrays.")
  private int size;

  @Option(names = "--features", description = "Number of features.", defaultValue = "256")
  private int features;

  @Option(names = "--classes", description = "Number of classes.", defaultValue = "10")
  private int classes;

  @Option(names = "--strategy", description = "The query strategy.", defaultValue = "alfamix")
  private String strategy;

  @Option(names = "--option", description = "An option of the method, as KEY=VALUE.")
  private Map<String, String> options = new LinkedHashMap<>();

  @Option(names = "--budget", description = "Number of items to select.", defaultValue = "100")
  private int budget;

  @Option(names = "--threads", description = "Number of threads.", defaultValue = "2")
  private int threads;

  @Option(names = "--warmup", description = "Number of seconds of warm-up.", defaultValue = "4")
  private double warmup;

  @Option(names = "--runs", description = "Number of measured runs.", defaultValue = "5")
  private int runs;

  /**
   * The result, which the child process prints and its parent reads.
   *
   * @param cold seconds of the first run
   * @param warm median seconds of the measured runs
   * @param inputMegabytes heap in use with only the pool loaded
   * @param peakMegabytes peak of the heap in use in one run, including uncollected garbage
   */
  record Measurement(
      double cold,
      double warm,
      int candidates,
      double inputMegabytes,
      double peakMegabytes,
      String phases) {

    static Measurement parse(String line) {
      String[] parts = line.split("\t");
      return new Measurement(
          Double.parseDouble(parts[0]),
          Double.parseDouble(parts[1]),
          Integer.parseInt(parts[2]),
          Double.parseDouble(parts[3]),
          Double.parseDouble(parts[4]),
          parts[5]);
    }

    String line() {
      return String.format(
          Locale.ROOT,
          "%f\t%f\t%d\t%f\t%f\t%s",
          cold,
          warm,
          candidates,
          inputMegabytes,
          peakMegabytes,
          phases);
    }
  }

  @Override
  public Integer call() {
    Snapshot snapshot =
        arrays == null ? SyntheticPool.of(size, features, classes) : PeerArrays.read(arrays);
    System.out.println(Parallel.with(threads, () -> measure(snapshot)).line());
    return 0;
  }

  private Measurement measure(Snapshot snapshot) {
    QueryStrategy method = Strategies.create(strategy, options);
    long start = System.nanoTime();
    Selection selection = method.select(snapshot, budget, new SplittableRandom(-1));
    double cold = secondsSince(start);
    for (long seed = -2; secondsSince(start) < warmup; seed--) {
      method.select(snapshot, budget, new SplittableRandom(seed));
    }
    double[] seconds = new double[runs];
    for (int run = 0; run < runs; run++) {
      long runStart = System.nanoTime();
      selection = method.select(snapshot, budget, new SplittableRandom(run));
      seconds[run] = secondsSince(runStart);
    }
    Arrays.sort(seconds);
    // The heap in use is now the input; the increase is that of one run. (A benchmark may request a
    // garbage collection; the engine never does.)
    System.gc();
    double input = megabytesInUse();
    resetPeaks();
    method.select(snapshot, budget, new SplittableRandom(0));
    double peak = peakMegabytes();
    StringBuilder phases = new StringBuilder();
    selection
        .seconds()
        .forEach(
            (name, value) -> phases.append(String.format(Locale.ROOT, "%s %.3f s, ", name, value)));
    phases.setLength(Math.max(0, phases.length() - 2));
    return new Measurement(
        cold, seconds[runs / 2], selection.candidates(), input, peak, phases.toString());
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private static double megabytesInUse() {
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
  }

  private static void resetPeaks() {
    ManagementFactory.getMemoryPoolMXBeans().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  private static double peakMegabytes() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .mapToDouble(pool -> pool.getPeakUsage().getUsed() / 1e6)
        .sum();
  }
}
