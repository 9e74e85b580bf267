package org.alfamix.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.alfamix.bench.MeasureCommand.Measurement;
import org.alfamix.strategy.Gcnal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the growth of time and memory with the size of the pool. */
@Command(
    name = "growth",
    description = "Measure time and peak memory for pools of growing size.",
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class GrowthCommand implements Callable<Integer> {

  @Option(
      names = "--strategies",
      description = "The strategies to measure, separated by commas.",
      split = ",",
      defaultValue = "alfamix,badge,coreset,cdal,bald,dfal,entropy,margin,least-confidence,random")
  private List<String> strategies;

  @Option(
      names = "--sizes",
      description = "The sizes of the pools, in items, separated by commas.",
      split = ",",
      defaultValue = "50000,100000,200000,400000")
  private List<Integer> sizes;

  @Option(names = "--budget", description = "Number of items to select.", defaultValue = "100")
  private int budget;

  @Option(names = "--threads", description = "Number of threads.", defaultValue = "2")
  private int threads;

  @Override
  public Integer call() {
    System.out.println(
        "Measured on: "
            + Machine.description()
            + "; "
            + threads
            + " threads, 256 features, 10 classes, budget "
            + budget
            + ".");
    System.out.println();
    System.out.println(
        "| method | items | candidates | seconds | µs per item | pool MB | peak heap MB | peak −"
            + " pool, bytes per item |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|");
    for (String strategy : strategies) {
      for (int size : sizes) {
        Measurement m = measure(strategy, size);
        System.out.printf(
            Locale.ROOT,
            "| %s | %,d | %,d | %.4f | %.2f | %.0f | %.0f | %.0f |%n",
            strategy,
            size,
            m.candidates(),
            m.warm(),
            m.warm() / size * 1e6,
            m.inputMegabytes(),
            m.peakMegabytes(),
            (m.peakMegabytes() - m.inputMegabytes()) / size * 1e6);
        System.out.flush();
      }
    }
    return 0;
  }

  private Measurement measure(String strategy, int size) {
    // A small young generation is collected often, so that the memory in use is close to the
    // required
    // memory.
    return Measurement.parse(
        ChildProcess.bench(
            List.of("-XX:+UseSerialGC", "-Xmn32m", "-Xmx3g"), arguments(strategy, size)));
  }

  private List<String> arguments(String strategy, int size) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "measure",
                "--size",
                Integer.toString(size),
                "--strategy",
                strategy,
                "--budget",
                Integer.toString(budget),
                "--threads",
                Integer.toString(threads)));
    if (strategy.equals(Gcnal.ENTRY.name())) {
      // Use the whole pool instead of a sample of fixed size.
      arguments.addAll(List.of("--option", "sample=" + size));
    }
    return arguments;
  }
}
