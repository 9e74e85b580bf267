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
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.alfamix.command.DataFolder;
import org.alfamix.command.ExitCode;
import org.alfamix.command.OptionNames;
import org.alfamix.command.ProgressLine;
import org.alfamix.command.Shell;
import org.alfamix.command.StrategyNames;
import org.alfamix.command.Version;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.DatasetReader;
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
import org.alfamix.learn.embed.BackboneDatasetReader;
import org.alfamix.learn.embed.TextFeatures;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares strategies on a built-in data set. */
@Command(
    name = "demo",
    description = {
      "Compare strategies on a built-in data set, in one to two minutes.",
      "",
      "An oracle that knows all labels replaces the annotator. In each round of each method, a"
          + " network is trained, the method selects the next batch, and the oracle labels it.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true)
final class DemoCommand implements Callable<Integer> {
  /** Number of items in the map of the report. */
  private static final int LATENT_ITEMS = 800;

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "NAME",
      description = "The data set: letter, digits or banking77 (texts).",
      defaultValue = "letter")
  private DemoData data;

  @Option(
      names = "--features",
      paramLabel = "NAME",
      description =
          "The features of texts, for banking77: minilm, ngrams, or a folder with an encoder"
              + " (default: minilm).")
  private String features;

  @Mixin private DataFolder dataFolder;

  @Option(
      names = "--strategies",
      paramLabel = "NAME",
      split = ",",
      description = "The strategies to compare, separated by commas (see 'alfamix strategies').",
      completionCandidates = StrategyNames.class,
      defaultValue = "random,entropy,badge,alfamix")
  private List<String> strategies;

  @Option(
      names = "--budget",
      paramLabel = "B",
      description =
          "Number of initial labels, and of labels per round (default: 100; 77 for banking77).")
  private Integer budget;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      description = "Number of rounds after the initial labels.",
      defaultValue = "4")
  private int rounds;

  @Option(
      names = "--seeds",
      paramLabel = "S",
      description = "Number of runs per method, each with different initial labels.",
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
          "The folder for the runs and the report; an earlier demo in it is replaced (default:"
              + " alfamix-demo/DATA).")
  private Path output;

  @Override
  public Integer call() {
    if (output == null) {
      output = Path.of("alfamix-demo", data.id());
    }
    if (budget == null) {
      budget = data.budget();
    }
    requireAtLeast(1, budget, "--budget");
    requireAtLeast(1, rounds, "--rounds");
    requireAtLeast(1, seeds, "--seeds");
    LabRunCommand.jobs(jobs, "cpu", spec);
    if (features != null && !data.hasTexts()) {
      throw wrongUsage("--features applies only to banking77.");
    }
    Setting setting = setting();
    Dataset dataset =
        new BackboneDatasetReader(
                dataFolder.path(), new ReadingProgress(spec.commandLine().getErr()), "cpu")
            .read(data.id(), reading());
    if ((long) budget * (rounds + 1) > dataset.pool().size()) {
      throw wrongUsage(
          "%,d initial labels and %,d rounds of %,d exceed the pool of %,d items."
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
        "Network: %s. %d initial labels, then %s of %d labels; %d methods, %s.%n%n",
        data.network(),
        budget,
        rounds == 1 ? "1 round" : rounds + " rounds",
        budget,
        setting.methods().size(),
        seeds == 1 ? "1 seed" : seeds + " seeds");
    out.flush();
    run(setting, dataset);
    Results results = Results.read(runs(), setting.name()::equals);
    SettingResults shown = results.settings().get(0);
    AccuracyTable.print(out, shown);
    printSavings(out, shown);
    Path report = output.resolve("report.html");
    Report.of(results).write(report);
    out.printf(
        "%nReport with learning curves, tables and a map of the picks: %s%n", report.toUri());
    out.printf(
        "%nTry next:%n%n"
            + "  %1$s demo --data %2$s%n"
            + "  %1$s lab settings              list the paper's settings for '%1$s lab run'%n"
            + "  %1$s example try               write a small pool for '%1$s select'%n",
        Shell.alfamix(), data.next());
    out.flush();
    return ExitCode.SUCCESS;
  }

  private Path runs() {
    return output.resolve("demo-runs");
  }

  /** Returns the options for reading the data. */
  private Map<String, String> reading() {
    return data.hasTexts()
        ? Map.of(DatasetReader.BACKBONE, Objects.requireNonNullElse(features, TextFeatures.DEFAULT))
        : Map.of();
  }

  private Setting setting() {
    Setting demo = Settings.find(data.setting()).get(0);
    List<Method> methods = strategies.stream().map(Method::parse).distinct().toList();
    Setting adapted =
        demo.with(
            new DataSpec(data.id(), reading(), false, List.of(), 0),
            Schedule.constant(budget, budget, rounds),
            methods,
            LATENT_ITEMS);
    return switch (data) {
      case LETTER -> adapted;
      case DIGITS -> adapted.withTitle("Handwritten digits, MLP: the demonstration");
      case BANKING77 ->
          adapted.withTitle(
              "Customers' questions, features %s: the demonstration"
                  .formatted(reading().get(DatasetReader.BACKBONE)));
    };
  }

  private void run(Setting setting, Dataset dataset) {
    PrintWriter err = spec.commandLine().getErr();
    LearnerEngine engine = LearnerEngine.find();
    int parallelRuns = LabRunCommand.jobs(jobs, engine.device("auto"), spec);
    ProgressLine line = new ProgressLine(err);
    LabProgress progress =
        new LabProgress(line, err, new OptionNames(spec), !line.isTerminal(), parallelRuns);
    List<Long> seedNumbers = LongStream.rangeClosed(1, seeds).boxed().toList();
    try (Lab lab = new Lab(runs(), engine, "auto", spec -> dataset, false)) {
      deleteEarlierRuns();
      Experiment experiment = new Experiment(setting, setting.methods(), seedNumbers);
      int failures = lab.run(List.of(experiment), parallelRuns, progress);
      if (failures > 0) {
        throw new DataException(
            failures + (failures == 1 ? " run" : " runs") + " failed; see the messages above.");
      }
    } finally {
      line.clear();
    }
  }

  /** Deletes the runs of an earlier demo, which would be resumed otherwise. */
  private void deleteEarlierRuns() {
    Path earlier = runs().resolve(data.setting());
    if (!Files.isDirectory(earlier)) {
      return;
    }
    try (Stream<Path> files = Files.walk(earlier)) {
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
   * Prints the number of labels at which alfamix reaches the final accuracy of random sampling,
   * interpolated linearly.
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
          Locale.ROOT,
          "%nalfamix did not reach the final accuracy of random sampling, %.1f %%.%n",
          goal);
      return;
    }
    out.printf(
        Locale.ROOT,
        "%nalfamix reaches the final accuracy of random sampling, %.1f %%, with %.0f labels instead"
            + " of %d: %.0f %% fewer.%n",
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
