package org.alfamix.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.alfamix.datasets.Datasets;
import org.alfamix.lab.run.Experiment;
import org.alfamix.lab.run.Lab;
import org.alfamix.lab.run.LabListener;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.alfamix.learn.LearnerEngine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the speed-up of parallel runs. */
@Command(
    name = "lab",
    description = {
      "Run eight short runs of the lab alternately with one job and with several, and compare.",
      "",
      "The runs are the first rounds of the demo's setting with four methods and two seeds. The"
          + " results must not depend on the number of jobs.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class LabBenchCommand implements Callable<Integer> {
  private static final LabListener QUIET =
      (job, why) -> {
        throw new IllegalStateException(job.toString(), why);
      };

  @Option(names = "--jobs", description = "Number of parallel runs.", defaultValue = "2")
  private int jobs;

  @Option(names = "--repeats", description = "Number of repetitions.", defaultValue = "3")
  private int repeats;

  @Option(names = "--rounds", description = "Number of rounds per run.", defaultValue = "3")
  private int rounds;

  @Override
  public Integer call() throws IOException {
    System.out.printf(
        "Measured on: %s; eight runs of %d rounds.%n%n", Machine.description(), rounds);
    System.out.printf("| repeat | 1 job, s | %d jobs, s | ratio |%n|---:|---:|---:|---:|%n", jobs);
    run(1); // warm-up
    List<Double> ratios = new ArrayList<>();
    for (int repeat = 1; repeat <= repeats; repeat++) {
      Outcome one = run(1);
      Outcome several = run(jobs);
      if (!one.lines.equals(several.lines)) {
        throw new IllegalStateException("The results differ with " + jobs + " jobs.");
      }
      ratios.add(one.seconds / several.seconds);
      System.out.printf(
          Locale.ROOT,
          "| %d | %.1f | %.1f | %.2f |%n",
          repeat,
          one.seconds,
          several.seconds,
          one.seconds / several.seconds);
    }
    ratios.sort(Comparator.naturalOrder());
    System.out.printf(
        Locale.ROOT,
        "%nMedian: %.2f times as fast, with the same results.%n",
        (ratios.get(repeats / 2) + ratios.get((repeats - 1) / 2)) / 2);
    return 0;
  }

  /** The duration, and the lines of the run files without times. */
  private record Outcome(double seconds, List<String> lines) {}

  private Outcome run(int count) throws IOException {
    Setting setting = Settings.find("demo").get(0).withRounds(rounds);
    setting = setting.with(setting.data(), setting.schedule(), setting.methods(), 0);
    List<Method> methods = setting.methods();
    List<Long> seeds = LongStream.rangeClosed(1, 2).boxed().toList();
    Path folder = Files.createTempDirectory("alfamix-bench");
    try {
      double seconds;
      try (Lab lab =
          new Lab(
              folder,
              LearnerEngine.find(),
              "cpu",
              data -> Datasets.open(data.name(), Path.of("")),
              false)) {
        long start = System.nanoTime();
        lab.run(List.of(new Experiment(setting, methods, seeds)), count, QUIET);
        seconds = (System.nanoTime() - start) / 1e9;
      }
      return new Outcome(seconds, lines(folder));
    } finally {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static List<String> lines(Path folder) throws IOException {
    List<String> lines = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jsonl")).sorted().toList()) {
        List<String> own = Files.readAllLines(file);
        IntStream.range(1, own.size())
            .forEach(i -> lines.add(own.get(i).replaceAll("\"seconds\":\\{[^}]*}", "")));
      }
    }
    return lines;
  }
}
