package org.alfamix.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.alfamix.bench.MeasureCommand.Measurement;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares whole methods with a Python program (PyTorch and scikit-learn) on the same arrays. */
@Command(
    name = "compare",
    description = {
      "Compare the speed of whole methods with a Python program on the same arrays.",
      "",
      "The program is called as 'PYTHON SCRIPT make DIR N D K' to write the arrays and as 'PYTHON"
          + " SCRIPT DIR METHOD BUDGET', which prints METHOD BUDGET SECONDS.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class CompareCommand implements Callable<Integer> {

  @Option(names = "--peer", required = true, description = "The Python program.")
  private Path peer;

  @Option(names = "--python", description = "The Python command.", defaultValue = "python3")
  private String pythonCommand;

  @Option(
      names = "--arrays",
      description = "The folder for the arrays; missing arrays are created.",
      defaultValue = "target/bench-arrays")
  private Path arrays;

  @Option(names = "--threads", description = "Number of threads, on each side.", defaultValue = "2")
  private int threads;

  @Option(
      names = "--peer-runs",
      description = "Number of runs per row; the median is reported.",
      defaultValue = "3")
  private int peerRuns;

  @Option(names = "--only", description = "Run only the rows of this method.")
  private String only;

  private record Row(int size, int features, int classes, String method, int budget, double goal) {}

  private static final List<Row> ROWS =
      List.of(
          new Row(49_900, 256, 10, "alfamix", 100, 20),
          new Row(49_900, 256, 10, "alfamix", 1000, 20),
          new Row(49_900, 256, 10, "badge", 100, 8),
          new Row(49_900, 256, 10, "coreset", 100, 3),
          new Row(49_900, 256, 10, "entropy", 100, 1),
          new Row(49_900, 256, 10, "cdal", 100, 1),
          new Row(49_900, 256, 10, "gcnal", 100, 15),
          new Row(50_000, 512, 100, "alfamix", 1000, 30));

  @Override
  public Integer call() throws Exception {
    System.out.println(
        "Measured on: " + Machine.description() + "; " + threads + " threads on each side.");
    System.out.println();
    System.out.println(
        "| pool | method | budget | Python s | alfamix s, warm | ratio | goal | alfamix s, cold |"
            + " phases |");
    System.out.println("|---|---|---:|---:|---:|---:|---:|---:|---|");
    for (Row row : ROWS) {
      if (only == null || only.equals(row.method())) {
        compare(row);
      }
    }
    return 0;
  }

  private void compare(Row row) throws Exception {
    Peer python = new Peer(pythonCommand, peer, threads);
    Path folder = python.arrays(arrays, row.size(), row.features(), row.classes());
    // Both sides run alternately, so that a slower phase of the machine affects both.
    double[] pythonSeconds = new double[peerRuns];
    double[] warm = new double[peerRuns];
    double[] cold = new double[peerRuns];
    Measurement last = null;
    for (int run = 0; run < peerRuns; run++) {
      pythonSeconds[run] = python.seconds(folder, row.method(), row.budget());
      last = measure(folder, row);
      warm[run] = last.warm();
      cold[run] = last.cold();
    }
    double pythonMedian = Peer.median(pythonSeconds);
    double alfamixMedian = Peer.median(warm);
    System.out.printf(
        Locale.ROOT,
        "| %,d × %d, %d classes | %s | %d | %.3f | %.4f | %.1f× | ≥ %.0f× | %.3f | %s |%n",
        row.size(),
        row.features(),
        row.classes(),
        row.method(),
        row.budget(),
        pythonMedian,
        alfamixMedian,
        pythonMedian / alfamixMedian,
        row.goal(),
        Peer.median(cold),
        last.phases());
    System.out.flush();
  }

  private Measurement measure(Path folder, Row row) {
    return Measurement.parse(
        ChildProcess.bench(
            List.of(),
            List.of(
                "measure",
                "--arrays",
                folder.toString(),
                "--strategy",
                row.method(),
                "--budget",
                Integer.toString(row.budget()),
                "--threads",
                Integer.toString(threads))));
  }
}
