package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.cli.demo.Simulation;
import org.alfamix.data.EmbeddedTable;
import org.alfamix.data.Table;
import org.alfamix.math.Parallel;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Compares strategies on an embedded data set: the first thing a newcomer runs. */
@Command(
    name = "demo",
    description = {
      "Compare methods on a data set that comes with alfamix.",
      "",
      "An oracle that knows every label plays the annotator: fit a model, let the method choose the"
          + " next batch, reveal its labels, again.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    showDefaultValues = true)
final class DemoCommand implements Callable<Integer> {
  /** As people write them. */
  private static final class DataNames extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    DataNames() {
      super(Arrays.stream(EmbeddedTable.values()).map(EmbeddedTable::id).toList());
    }
  }

  static final class StrategyNames extends ArrayList<String> {
    private static final long serialVersionUID = 1;

    StrategyNames() {
      super(Strategies.all().stream().map(StrategyEntry::name).toList());
    }
  }

  private static final String[] BARS = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

  @Spec private CommandSpec spec;

  @Option(
      names = "--data",
      paramLabel = "NAME",
      description = "Data set: ${COMPLETION-CANDIDATES}.",
      completionCandidates = DataNames.class,
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
      description = "Labels to begin with, and labels per round.",
      defaultValue = "100")
  private int budget;

  @Option(
      names = "--rounds",
      paramLabel = "R",
      description = "Rounds after the first labels.",
      defaultValue = "5")
  private int rounds;

  @Option(
      names = "--seeds",
      paramLabel = "S",
      description = "Runs per method, each with other first labels.",
      defaultValue = "3")
  private int seeds;

  @Option(
      names = "--threads",
      paramLabel = "T",
      description = "Threads; 0 means one per processor. The results do not depend on it.",
      defaultValue = "0")
  private int threads;

  @Override
  public Integer call() {
    requireAtLeast(1, budget, "--budget");
    requireAtLeast(1, rounds, "--rounds");
    requireAtLeast(1, seeds, "--seeds");
    requireAtLeast(0, threads, "--threads");
    List<QueryStrategy> methods = strategies.stream().map(this::strategy).toList();
    Table table = data.read();
    Simulation simulation;
    try {
      simulation = new Simulation(table, budget, rounds);
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        Locale.ROOT,
        "Active learning on %s (%s): %d classes, a pool of %,d items, %,d to test on.%n",
        table.name(),
        data.description(),
        table.classes(),
        simulation.poolSize(),
        simulation.testSize());
    out.printf(
        Locale.ROOT,
        "%d random ReLU features under a logistic head; %d labels, then %s of %d more.%n%n",
        simulation.features(),
        budget,
        rounds == 1 ? "1 round" : rounds + " rounds",
        budget);
    out.flush();
    Map<String, double[]> means =
        threads == 0
            ? runAll(simulation, methods)
            : Parallel.with(threads, () -> runAll(simulation, methods));
    printTable(out, means);
    printSavings(out, means);
    example.ifPresent(
        pick -> out.printf("%nWhy the first item of the first batch? %s.%n", sentence(pick)));
    out.printf(
        "%nNext: alfamix demo --data %s, or alfamix strategies%n",
        data == EmbeddedTable.LETTER ? "digits --budget 20" : "letter");
    out.flush();
    return ExitCode.DONE;
  }

  private Optional<Pick> example = Optional.empty();

  private QueryStrategy strategy(String name) {
    try {
      return Strategies.create(name.strip(), Map.of());
    } catch (IllegalArgumentException e) {
      throw wrongUsage(e.getMessage());
    }
  }

  private ParameterException wrongUsage(String message) {
    return new ParameterException(spec.commandLine(), message);
  }

  private Map<String, double[]> runAll(Simulation simulation, List<QueryStrategy> methods) {
    Progress progress =
        new Progress(
            spec.commandLine().getErr(),
            Progress.isTerminal(),
            methods.size() * seeds * (rounds + 1));
    Map<String, double[]> means = new LinkedHashMap<>();
    for (QueryStrategy method : methods) {
      double[] mean = new double[rounds + 1];
      for (int seed = 1; seed <= seeds; seed++) {
        String doing = method.name() + ", seed " + seed;
        Simulation.Run run = simulation.run(method, seed, () -> progress.step(doing));
        for (int round = 0; round <= rounds; round++) {
          mean[round] += 100 * run.accuracy()[round] / seeds;
        }
        if (method.name().equals("alfamix")) {
          example = example.or(run::example);
        }
      }
      means.put(method.name(), mean);
    }
    progress.clear();
    return means;
  }

  private void printTable(PrintWriter out, Map<String, double[]> means) {
    out.printf(
        "Test accuracy in per cent, %s:%n%n",
        seeds == 1 ? "one seed" : "mean of " + seeds + " seeds");
    out.printf("  %-17s", "labels");
    IntStream.rangeClosed(1, rounds + 1).forEach(round -> out.printf("%7d", round * budget));
    out.println();
    double least = means.values().stream().flatMapToDouble(Arrays::stream).min().orElse(0);
    double most = means.values().stream().flatMapToDouble(Arrays::stream).max().orElse(100);
    means.forEach(
        (name, mean) -> {
          out.printf("  %-17s", name);
          Arrays.stream(mean).forEach(value -> out.printf(Locale.ROOT, "%7.1f", value));
          out.printf("   %s%n", curve(mean, least, most));
        });
  }

  private static String curve(double[] values, double least, double most) {
    return Arrays.stream(values)
        .mapToObj(
            value -> {
              double share = most > least ? (value - least) / (most - least) : 1;
              return BARS[(int) Math.round(share * (BARS.length - 1))];
            })
        .collect(Collectors.joining());
  }

  /** Where alfamix reaches what random draws end with, by a line between the rounds around it. */
  private void printSavings(PrintWriter out, Map<String, double[]> means) {
    double[] random = means.get("random");
    double[] alfamix = means.get("alfamix");
    if (random == null || alfamix == null) {
      return;
    }
    double goal = random[rounds];
    for (int round = 1; round <= rounds; round++) {
      if (alfamix[round] >= goal) {
        double share = (goal - alfamix[round - 1]) / (alfamix[round] - alfamix[round - 1]);
        double labels = budget * (round + Math.max(0, Math.min(1, share)));
        out.printf(
            Locale.ROOT,
            "%nalfamix reaches random's final %.1f %% with %.0f labels instead of %d: %.0f %%"
                + " fewer.%n",
            goal,
            labels,
            budget * (rounds + 1),
            100 * (1 - labels / (budget * (rounds + 1))));
        return;
      }
    }
    out.printf(Locale.ROOT, "%nalfamix did not reach random's final %.1f %% here.%n", goal);
  }

  private static String sentence(Pick pick) {
    return pick.reason().substring(0, 1).toUpperCase(Locale.ROOT) + pick.reason().substring(1);
  }

  private void requireAtLeast(int least, int value, String option) {
    if (value < least) {
      throw wrongUsage("%s must be at least %d, got %d.".formatted(option, least, value));
    }
  }
}
