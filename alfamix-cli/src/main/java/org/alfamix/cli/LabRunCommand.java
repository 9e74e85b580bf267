package org.alfamix.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.alfamix.command.DataFolder;
import org.alfamix.command.OptionNames;
import org.alfamix.command.ProgressLine;
import org.alfamix.command.Shell;
import org.alfamix.command.StrategyNames;
import org.alfamix.command.Version;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.lab.report.Results;
import org.alfamix.lab.report.SettingResults;
import org.alfamix.lab.run.Experiment;
import org.alfamix.lab.run.Lab;
import org.alfamix.lab.run.LabSources;
import org.alfamix.lab.setting.Availability;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.embed.BackboneDatasetReader;
import org.alfamix.strategy.Strategies;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Runs settings. */
@Command(
    name = "run",
    description = {
      "Run settings. Each combination of a method and a seed is a run. In each round of a run, a"
          + " network is trained and tested, and the method selects the items to label next.",
      "",
      "For each seed, all methods start with the same labels and weights. Completed rounds are"
          + " stored: after an interruption, the same command resumes after the last completed"
          + " round, with the same results. Results do not depend on the number of parallel runs.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true,
    footer = {
      "",
      "Examples:",
      "  alfamix lab run letter-mlp --strategies all --seeds 5",
      "  alfamix lab run 'mnist-*' --strategies random,badge,alfamix --runs mnist",
      "  alfamix lab run mine.yaml --strategies alfamix,alfamix:picks=uniform"
    })
final class LabRunCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "SETTING",
      description =
          "A name or number from 'alfamix lab settings', a pattern such as 'mnist-*', or your own"
              + " .yaml file.")
  private List<String> settings;

  @Option(
      names = "--strategies",
      paramLabel = "NAME",
      split = ",(?![^,:]*=)",
      splitSynopsisLabel = ",",
      description =
          "The methods, separated by commas: all, paper (the eight methods of the paper's tables),"
              + " names from 'alfamix strategies', optionally with options after a colon"
              + " (alfamix:picks=uniform), or names of methods in the setting (default: the methods"
              + " of the setting, or the paper's).",
      completionCandidates = Names.class)
  private List<String> strategies;

  @Option(
      names = "--seeds",
      paramLabel = "S",
      description =
          "Number of runs per method, with seeds 1 to S; or a range of seeds, such as 6-10"
              + " (default: as in the setting, usually 5).")
  private String seeds;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      description =
          "Number of rounds; a later call can add more (default: all rounds of the setting).")
  private Integer rounds;

  @Option(
      names = "--runs",
      paramLabel = "FOLDER",
      description = "The folder for the runs.",
      defaultValue = "runs")
  private Path folder;

  @Option(
      names = "--jobs",
      paramLabel = "N",
      description = "Number of parallel runs: auto (one per processor; one on a GPU), or a number.",
      defaultValue = "auto")
  private String jobs;

  @Mixin private DeviceOption device;

  @Option(
      names = "--mixed",
      description =
          "Resume runs that were started with another version of alfamix or Java, or on another"
              + " machine; results may differ.")
  private boolean mixed;

  @Mixin private DataFolder dataFolder;

  /** Completion candidates of {@code --strategies}. */
  static final class Names extends StrategyNames {
    @Override
    protected List<String> names() {
      return Stream.concat(super.names().stream(), Stream.of("all", "paper")).toList();
    }
  }

  @Override
  public Integer call() {
    List<Experiment> experiments = experiments();
    LearnerEngine engine = LearnerEngine.find();
    for (Experiment experiment : experiments) {
      Availability availability =
          Availability.of(experiment.setting(), Optional.of(engine), false, dataFolder.path());
      if (!availability.isReady()) {
        throw new DataException(
            "%s cannot be run on this machine: %s.%s"
                .formatted(
                    experiment.setting().name(), availability, alternative(experiment.setting())));
      }
    }
    PrintWriter err = spec.commandLine().getErr();
    int parallelRuns = jobs(jobs, engine.device(device.name()), spec);
    ProgressLine line = new ProgressLine(err);
    LabProgress progress = new LabProgress(line, err, new OptionNames(spec), true, parallelRuns);
    BackboneDatasetReader reader =
        new BackboneDatasetReader(dataFolder.path(), new ReadingProgress(line), device.name());
    int failures;
    try (Lab lab = new Lab(folder, engine, device.name(), LabSources.of(reader), mixed)) {
      failures = lab.run(experiments, parallelRuns, progress);
    } finally {
      line.clear();
    }
    report(experiments, failures);
    return progress.exitCode();
  }

  /** Returns a sentence with a setting that can be run instead; empty if there is none. */
  private static String alternative(Setting setting) {
    return Settings.all().stream()
        .filter(other -> setting.paper().isPresent() && setting.paper().equals(other.standsInFor()))
        .findFirst()
        .map(other -> " Alternative with other data: " + other.name() + ".")
        .orElse("");
  }

  /** Returns the number of parallel runs. */
  static int jobs(String text, String device, CommandSpec spec) {
    if (text.equals("auto")) {
      return device.startsWith("cuda") ? 1 : Runtime.getRuntime().availableProcessors();
    }
    try {
      int count = Integer.parseInt(text);
      if (count >= 1 && count <= 1024) {
        return count;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new ParameterException(
        spec.commandLine(), "--jobs is '%s', expected auto or 1 to 1024.".formatted(text));
  }

  private List<Experiment> experiments() {
    jobs(jobs, "cpu", spec); // report wrong usage early
    List<Long> chosenSeeds = seeds();
    Map<String, Experiment> experiments = new LinkedHashMap<>();
    for (String word : settings) {
      for (Setting found : Settings.find(word)) {
        Setting setting = rounds == null ? found : found.withRounds(requireRounds());
        List<Method> methods = methods(setting);
        List<Long> runs = chosenSeeds.isEmpty() ? setting.defaultSeeds() : chosenSeeds;
        if (experiments.put(setting.name(), new Experiment(setting, methods, runs)) != null) {
          throw new InvalidRequestException("Duplicate setting '%s'.".formatted(setting.name()));
        }
      }
    }
    return new ArrayList<>(experiments.values());
  }

  private int requireRounds() {
    if (rounds < 1) {
      throw new InvalidRequestException("rounds", "must be at least 1, got " + rounds + ".");
    }
    return rounds;
  }

  private List<Method> methods(Setting setting) {
    if (strategies == null) {
      return setting.defaultMethods();
    }
    Map<String, Method> methods = new LinkedHashMap<>();
    for (String word : strategies) {
      List<String> names =
          switch (word.strip()) {
            case "all" -> Strategies.all().stream().map(entry -> entry.name()).toList();
            case "paper" -> Setting.PAPER_METHODS;
            default -> List.of(word.strip());
          };
      names.forEach(name -> methods.put(name, method(setting, name)));
    }
    return new ArrayList<>(methods.values());
  }

  private static Method method(Setting setting, String name) {
    return setting.methods().stream()
        .filter(own -> own.label().equals(name))
        .findFirst()
        .orElseGet(() -> Method.parse(name));
  }

  private List<Long> seeds() {
    if (seeds == null) {
      return List.of();
    }
    try {
      int dash = seeds.indexOf('-', 1);
      long first = dash < 0 ? 1 : Long.parseLong(seeds.substring(0, dash).strip());
      long last = Long.parseLong(seeds.substring(dash + 1).strip());
      if (first >= 0 && last >= first && last - first < 10_000) {
        return LongStream.rangeClosed(first, last).boxed().toList();
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new ParameterException(
        spec.commandLine(),
        "--seeds is '%s', expected a number or a range such as 6-10, at most 10,000 seeds."
            .formatted(seeds));
  }

  private void report(List<Experiment> experiments, int failures) {
    PrintWriter out = spec.commandLine().getOut();
    if (failures == 0) {
      Set<String> names =
          experiments.stream().map(each -> each.setting().name()).collect(Collectors.toSet());
      for (SettingResults setting : Results.read(folder, names::contains).settings()) {
        out.printf("%s: %s%n", setting.setting().name(), setting.setting().title());
        AccuracyTable.print(out, setting);
        out.println();
      }
    } else {
      spec.commandLine()
          .getErr()
          .printf(
              "alfamix: %d %s failed. Completed rounds are stored; after fixing the cause, run the"
                  + " same command again to resume.%n",
              failures, failures == 1 ? "run" : "runs");
      return;
    }
    out.printf(
        "Next, run:%n%n %s lab report %s -o report.html%n",
        Shell.alfamix(), Shell.quote(folder.toString()));
    out.flush();
  }
}
