package org.alfamix.bench;

import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the kernels with JMH, and compares the block product with OpenBLAS. */
@Command(
    name = "kernels",
    description = "Measure the kernels with JMH, and compare the block product with OpenBLAS.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class KernelsCommand implements Callable<Integer> {

  @Option(names = "--forks", description = "Number of processes per benchmark.", defaultValue = "3")
  private int forks;

  @Option(
      names = "--iterations",
      description = "Number of measured seconds per process.",
      defaultValue = "3")
  private int iterations;

  @Option(names = "--rows", description = "Also measure the kernels for single rows.")
  private boolean rows;

  @Override
  public Integer call() throws RunnerException {
    System.out.println("Measured on: " + Machine.description() + ".");
    System.out.println();
    printProducts(run(DotProducts.class.getSimpleName()));
    if (rows) {
      printRows(run(RowKernels.class.getSimpleName()));
    }
    return 0;
  }

  private Collection<RunResult> run(String name) throws RunnerException {
    Options options =
        new OptionsBuilder()
            .include(name)
            .forks(forks)
            .warmupIterations(3)
            .warmupTime(TimeValue.seconds(1))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.seconds(1))
            .jvmArgsAppend("--add-modules=jdk.incubator.vector")
            .verbosity(VerboseMode.SILENT)
            .build();
    return new Runner(options).run();
  }

  private static void printProducts(Collection<RunResult> results) {
    Map<Integer, Map<String, Double>> speeds = new TreeMap<>();
    for (RunResult result : results) {
      int features = Integer.parseInt(result.getParams().getParam("features"));
      double flops = 2.0 * DotProducts.ROWS * DotProducts.OTHERS * features;
      double microseconds = result.getPrimaryResult().getScore();
      speeds
          .computeIfAbsent(features, key -> new TreeMap<>())
          .put(result.getPrimaryResult().getLabel(), flops / microseconds / 1e3);
    }
    System.out.println(
        "| features | alfamix GFLOP/s | with packing | OpenBLAS GFLOP/s | alfamix / OpenBLAS |");
    System.out.println("|---:|---:|---:|---:|---:|");
    speeds.forEach(
        (features, speed) ->
            System.out.printf(
                Locale.ROOT,
                "| %d | %.1f | %.1f | %.1f | %.0f %% |%n",
                features,
                speed.get("alfamix"),
                speed.get("alfamixWithPacking"),
                speed.get("openblas"),
                100 * speed.get("alfamix") / speed.get("openblas")));
  }

  private static void printRows(Collection<RunResult> results) {
    System.out.println();
    System.out.println("| kernel | length | nanoseconds |");
    System.out.println("|---|---:|---:|");
    results.forEach(
        result ->
            System.out.printf(
                Locale.ROOT,
                "| %s | %s | %.1f |%n",
                result.getPrimaryResult().getLabel(),
                result.getParams().getParam("length"),
                result.getPrimaryResult().getScore()));
  }
}
