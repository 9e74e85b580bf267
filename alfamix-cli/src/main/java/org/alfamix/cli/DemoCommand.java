package org.alfamix.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.alfamix.command.ExitCode;
import org.alfamix.command.OptionNames;
import org.alfamix.command.ProgressLine;
import org.alfamix.command.Shell;
import org.alfamix.command.StrategyNames;
import org.alfamix.command.Version;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.EmbeddedTable;
import org.alfamix.io.DataException;
import org.alfamix.lab.report.MethodResults;
import org.alfamix.lab.report.Report;
import org.alfamix.lab.report.Results;
import org.alfamix.lab.report.SettingResults;
import org.alfamix.lab.run.Experiment;
import org.alfamix.lab.run.Lab;
import org.alfamix.lab.setting.DataSpec;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Schedule;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.alfamix.lab.statistics.LearningCurve;
import org.alfamix.learn.LearnerEngine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares strategies on an embedded data set. */
@Command(
    name = "demo",
    description = {
      "Compare methods on a data set that comes with alfamix, in one to two minutes.",
      "",
      "An oracle that knows every label replaces the annotator. In each round a network is trained,"
          + " each method selects the next batch, and the oracle reveals its labels.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true)
final class DemoCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "NAME",
      description = "Data set: letter or digits.",
      defaultValue = "letter")
  private EmbeddedTable data;

  @Option(
      names = "--strategies",
      paramLabel = "NAME",
      split = ",",
      description = "Methods to compare, separated by commas (see 'alfamix strategies').",
      completionCandidates = StrategyNames.class,
      defaultValue = "random,entropy,badge,alfamix")
  private List<String> strategies;

  @Option(
      names = "--budget",
      paramLabel = "B",
      description = "Number of initial labels, and of labels per round.",
      defaultValue = "100")
  private int budget;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      description = "Number of rounds after the initial labels.",
      defaultValue = "4")
  private int rounds;

  @Option(
      names = "--seeds",
      paramLabel = "S",
      description = "Runs per method, each with different initial labels.",
      defaultValue = "3")
  private int seeds;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "Number of parallel runs: auto (one per processor), or a number.",
      defaultValue = "auto")
  private String jobs;

  @Option(
      names = "--output",
      paramLabel = "FOLDER",
      description =
          "The folder for runs and report; an earlier demonstration in it is replaced (default:"
              + " alfamix-demo/DATA).")
  private Path output;

  @Override
  public Integer call() {
    if (output == null) {
      output = Path.of("alfamix-demo", data.id());
    }
    requireAtLeast(1, budget, "--budget");
    requireAtLeast(1, rounds, "--rounds");
    requireAtLeast(1, seeds, "--seeds");
    LabRunCommand.jobs(jobs, "cpu", spec);
    Setting setting = setting();
    Dataset dataset = Datasets.open(data.id(), Path.of(""));
    if ((long) budget * (rounds + 1) > dataset.pool().size()) {
      throw wrongUsage(
          "%d initial labels and %d rounds of %d exceed the pool of %d items."
              .formatted(budget, rounds, budget, dataset.pool().size()));
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "Active learning on %s (%s): %d classes, a pool of %,d items, %,d test items.%n",
        data.id(),
        data.description(),
        dataset.classes(),
        dataset.pool().size(),
        dataset.test().size());
    out.printf(
        Locale.ROOT,
        "A network with two layers; %d labels, then %s of %d more. Each of %d methods selects for"
            + " itself, %s.%n%n",
        budget,
        rounds == 1 ? "1 round" : rounds + " rounds",
        budget,
        setting.methods().size(),
        seeds == 1 ? "once" : seeds + " times");
    out.flush();
    run(setting, dataset);
    Results results = Results.read(runs(), setting.name()::equals);
    SettingResults shown = results.settings().get(0);
    AccuracyTable.print(out, shown);
    printSavings(out, shown);
    Path report = output.resolve("report.html");
    Report.of(results).write(report);
    out.printf(
        "%nThe report, with curves, tables and a map of what was picked: %s%n", report.toUri());
    out.printf(
        "%nTry next:%n%n"
            + "  %1$s demo --data %2$s%n"
            + "  %1$s lab settings              list the paper's settings, for '%1$s lab run'%n"
            + "  %1$s example try               write a small pool to try 'select' on%n",
        Shell.alfamix(), data == EmbeddedTable.LETTER ? "digits --budget 20" : "letter");
    out.flush();
    return ExitCode.DONE;
  }

  private Path runs() {
    return output.resolve("demo-runs");
  }

  private Setting setting() {
    Setting demo = Settings.find("demo").get(0);
    List<Method> methods = strategies.stream().map(Method::parse).distinct().toList();
    Setting asked =
        demo.with(
            new DataSpec(data.id(), Map.of(), false, List.of(), 0),
            Schedule.even(budget, budget, rounds),
            methods,
            demo.latentItems());
    return data == EmbeddedTable.LETTER
        ? asked
        : asked.titled("Handwritten digits, MLP: the demonstration");
  }

  private void run(Setting setting, Dataset dataset) {
    PrintWriter err = spec.commandLine().getErr();
    LearnerEngine engine = LearnerEngine.find();
    int atOnce = LabRunCommand.jobs(jobs, engine.device("auto"), spec);
    ProgressLine line = new ProgressLine(err);
    LabProgress progress =
        new LabProgress(line, err, new OptionNames(spec), !line.isTerminal(), atOnce);
    List<Long> numbers = LongStream.rangeClosed(1, seeds).boxed().toList();
    try (Lab lab = new Lab(runs(), engine, "auto", spec -> dataset, false)) {
      clear();
      Experiment experiment = new Experiment(setting, setting.methods(), numbers);
      int failures = lab.run(List.of(experiment), atOnce, progress);
      if (failures > 0) {
        throw new DataException(failures + " runs failed; see the messages above.");
      }
    } finally {
      line.clear();
    }
  }

  /** Deletes the runs of an earlier demonstration, which would be resumed otherwise. */
  private void clear() {
    if (!Files.isDirectory(runs().resolve("demo"))) {
      return;
    }
    try (Stream<Path> files = Files.walk(runs().resolve("demo"))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(runs() + ": cannot be replaced: " + e.getMessage(), e);
    }
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  /**
   * Reports the number of labels at which alfamix reaches the final accuracy of random sampling, by
   * linear interpolation.
   */
  private void printSavings(PrintWriter out, SettingResults results) {
    Optional<MethodResults> random = results.method("random");
    Optional<MethodResults> alfamix = results.method("alfamix");
    if (random.isEmpty() || alfamix.isEmpty()) {
      return;
    }
    double goal = random.get().means()[rounds];
    double labels = new LearningCurve(results.labels(), alfamix.get().means()).labelsFor(goal);
    int all = budget * (rounds + 1);
    if (Double.isNaN(labels)) {
      out.printf(
          Locale.ROOT, "%nalfamix did not reach the final %.1f %% of random sampling.%n", goal);
      return;
    }
    out.printf(
        Locale.ROOT,
        "%nalfamix reaches the final %.1f %% of random sampling with %.0f labels instead of %d:"
            + " %.0f %% fewer.%n",
        goal,
        labels,
        all,
        100 * (1 - labels / all));
  }

  private void requireAtLeast(int least, int value, String option) {
    if (value < least) {
      throw wrongUsage("%s must be at least %d, got %d.".formatted(option, least, value));
    }
  }
}
