package org.alfamix.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Datasets;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.SnapshotOptions;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.Strategies;
import org.bytedeco.javacpp.Pointer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the memory over many rounds of active learning, which must not grow. */
@Command(
    name = "rounds",
    description = {
      "Print the resident size over rounds of training, snapshot and selection on the built-in"
          + " digits.",
      "",
      "The rounds run in a separate JVM with a fixed heap that is allocated at the start; growth"
          + " after the first rounds is native memory.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class RoundsCommand implements Callable<Integer> {
  private static final int INITIAL = 20;
  private static final int BUDGET = 5;
  private static final int HEAP_MEGABYTES = 384;

  @Option(names = "--rounds", description = "Number of rounds.", defaultValue = "200")
  private int rounds;

  @Option(
      names = "--every",
      description = "Number of rounds per row of the table.",
      defaultValue = "20")
  private int every;

  @Option(names = "--threads", description = "Number of threads.", defaultValue = "2")
  private int threads;

  @Option(names = "--here", hidden = true, description = "Run in this JVM.")
  private boolean here;

  @Override
  public Integer call() throws IOException, InterruptedException {
    if (here) {
      run();
      return 0;
    }
    List<String> command =
        List.of(
            System.getProperty("java.home") + "/bin/java",
            "--add-modules=jdk.incubator.vector",
            "-Xms" + HEAP_MEGABYTES + "m",
            "-Xmx" + HEAP_MEGABYTES + "m",
            "-XX:+AlwaysPreTouch",
            "-Xlog:disable",
            "-cp",
            System.getProperty("java.class.path"),
            BenchCommand.class.getName(),
            "rounds",
            "--here",
            "--rounds=" + rounds,
            "--every=" + every,
            "--threads=" + threads);
    return new ProcessBuilder(command)
        .redirectOutput(ProcessBuilder.Redirect.INHERIT)
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start()
        .waitFor();
  }

  private void run() {
    System.out.printf(
        "Measured on: %s; %d threads, heap fixed at %d MB.%n%n",
        Machine.description(), threads, HEAP_MEGABYTES);
    System.out.println("| round | labels | test accuracy | resident MB | native objects |");
    System.out.println("|---:|---:|---:|---:|---:|");
    Dataset data = Datasets.open("digits", Path.of(""));
    int[] order = IntStream.range(0, data.pool().size()).toArray();
    Set<Integer> known = new HashSet<>();
    Arrays.stream(order).limit(INITIAL).forEach(known::add);
    LearnerSpec spec = LearnerSpec.of("mlp", data, 1).withThreads(threads).withDevice("cpu");
    SplittableRandom random = new SplittableRandom(1);
    try (Learner learner = LearnerEngine.find().create(spec)) {
      for (int round = 1; round <= rounds; round++) {
        int[] labelled = known.stream().mapToInt(Integer::intValue).sorted().toArray();
        int[] rest = IntStream.of(order).filter(item -> !known.contains(item)).toArray();
        int[] labels = data.pool().labelsOf(labelled);
        learner.fit(data.pool().inputs(), labelled, labels);
        Snapshot snapshot =
            learner.snapshot(data.pool().inputs(), rest, labelled, labels, SnapshotOptions.PLAIN);
        for (int item :
            Strategies.create("alfamix", Map.of())
                .select(snapshot, BUDGET, random.split())
                .items()) {
          known.add(rest[item]);
        }
        if (round == 1 || round % every == 0) {
          System.out.printf(
              Locale.ROOT,
              "| %d | %d | %.1f %% | %d | %d |%n",
              round,
              labelled.length,
              100 * learner.accuracy(data.test().inputs(), data.test().labels()),
              residentMegabytes(),
              Pointer.totalCount());
          System.out.flush();
        }
      }
    }
  }

  private static long residentMegabytes() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024)
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
