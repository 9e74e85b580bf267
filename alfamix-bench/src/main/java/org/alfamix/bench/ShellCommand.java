package org.alfamix.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.alfamix.io.array.Npy;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** From embeddings to picks in a fresh process, as a person waits for it, beside Python. */
@Command(
    name = "shell",
    description = {
      "Time 'alfamix select' from the shell, start of Java included, beside a Python program.",
      "",
      "The program is called as by 'compare'; its time is that of choosing alone.",
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

  @Option(names = "--python", description = "The Python to run it.", defaultValue = "python3")
  private String python;

  @Option(names = "--launcher", description = "The command.", defaultValue = "./alfamix")
  private Path launcher;

  @Option(
      names = "--arrays",
      description = "Folder for the arrays; made where it lacks them.",
      defaultValue = "target/bench-arrays")
  private Path arrays;

  @Option(names = "--runs", description = "Runs of each side, alternately.", defaultValue = "5")
  private int runs;

  @Override
  public Integer call() throws Exception {
    Peer peer = new Peer(python, program, Runtime.getRuntime().availableProcessors());
    Path folder = peer.arrays(arrays, SIZE, FEATURES, CLASSES);
    List<String> options = prepare(folder);
    Launcher command = new Launcher(launcher);
    command.select(folder, "", options); // builds, and archives the classes
    double[] theirs = new double[runs];
    double[] whole = new double[runs];
    double[] select = new double[runs];
    Launcher.Run last = null;
    for (int run = 0; run < runs; run++) {
      theirs[run] = peer.seconds(folder, "alfamix", BUDGET);
      last = command.select(folder, "", options);
      whole[run] = last.seconds();
      select[run] = last.number("select");
    }
    System.out.println("Measured on: " + Machine.description() + "; medians of " + runs + " runs.");
    System.out.println();
    System.out.println(
        "| pool | budget | shell to shell s | goal | `seconds.select` | Python s, choosing alone |"
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
        Peer.median(theirs),
        Peer.median(theirs) / Peer.median(select),
        last.phases());
    return 0;
  }

  /** The arrays of the peer as a pool for select: unlabelled items first, then the labelled. */
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
