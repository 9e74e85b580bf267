package org.alfamix.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.alfamix.io.array.Npy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures {@code alfamix select} in a new process, in comparison with Python. */
@Command(
    name = "shell",
    description = {
      "Measure 'alfamix select' from the shell, including the start of Java, and compare it with a"
          + " Python program.",
      "",
      "The program is called as in 'compare'; its time contains only the selection.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class ShellCommand implements Callable<Integer> {
  private static final int SIZE = 49_900;
  private static final int FEATURES = 256;
  private static final int CLASSES = 10;
  private static final int BUDGET = 100;

  @Option(names = "--peer", required = true, description = "The Python program.")
  private Path program;

  @Option(names = "--python", description = "The Python command.", defaultValue = "python3")
  private String python;

  @Option(names = "--launcher", description = "The launcher.", defaultValue = "./alfamix")
  private Path launcher;

  @Option(
      names = "--arrays",
      description = "The folder for the arrays; missing arrays are created.",
      defaultValue = "target/bench-arrays")
  private Path arrays;

  @Option(
      names = "--runs",
      description = "Number of runs of each side, which alternate.",
      defaultValue = "5")
  private int runs;

  @Override
  public Integer call() throws Exception {
    Peer peer = new Peer(python, program, Runtime.getRuntime().availableProcessors());
    Path folder = peer.arrays(arrays, SIZE, FEATURES, CLASSES);
    List<String> options = prepare(folder);
    Launcher command = new Launcher(launcher);
    command.select(folder, "", options); // builds the modules and archives the classes
    double[] python = new double[runs];
    double[] whole = new double[runs];
    double[] select = new double[runs];
    Launcher.Run last = null;
    for (int run = 0; run < runs; run++) {
      python[run] = peer.seconds(folder, "alfamix", BUDGET);
      last = command.select(folder, "", options);
      whole[run] = last.seconds();
      select[run] = last.number("select");
    }
    System.out.println("Measured on: " + Machine.description() + "; medians of " + runs + " runs.");
    System.out.println();
    System.out.println(
        "| pool | budget | whole command s | goal | `seconds.select` | Python s, only selection |"
            + " ratio | goal | phases |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|---|");
    System.out.printf(
        Locale.ROOT,
        "| %,d × %d, %d classes | %d | %.2f | < 2 | %.2f | %.2f | %.1f× | ≥ 7× | %s |%n",
        SIZE,
        FEATURES,
        CLASSES,
        BUDGET,
        Peer.median(whole),
        Peer.median(select),
        Peer.median(python),
        Peer.median(python) / Peer.median(select),
        last.phases());
    return 0;
  }

  /** Writes the arrays of the peer as a pool for select: unlabelled items, then labelled items. */
  private static List<String> prepare(Path folder) throws Exception {
    Path pool = Files.createDirectories(folder.resolve("pool"));
    for (String[] link : new String[][] {{"0.npy", "z.npy"}, {"1.npy", "zl.npy"}}) {
      Files.deleteIfExists(pool.resolve(link[0]));
      Files.copy(folder.resolve(link[1]), pool.resolve(link[0]));
    }
    int[] labels = Npy.open(folder.resolve("yl.npy")).readInts();
    StringBuilder csv = new StringBuilder("id,label\n");
    for (int i = 0; i < labels.length; i++) {
      csv.append(SIZE + i).append(',').append(labels[i]).append('\n');
    }
    Path labelsFile = Files.writeString(folder.resolve("labels.csv"), csv);
    return List.of(
        "--embeddings",
        pool.toString(),
        "--labels",
        labelsFile.toString(),
        "--head-weight",
        folder.resolve("W.npy").toString(),
        "--head-bias",
        folder.resolve("b.npy").toString(),
        "--budget",
        Integer.toString(BUDGET),
        "--output",
        folder.resolve("picks.csv").toString());
  }
}
