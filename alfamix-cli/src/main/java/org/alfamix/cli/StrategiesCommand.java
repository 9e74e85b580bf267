package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.alfamix.command.ExitCode;
import org.alfamix.command.StrategyNames;
import org.alfamix.command.Version;
import org.alfamix.strategy.Requirement;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Lists the query strategies. */
@Command(
    name = "strategies",
    description = "List the query strategies, or describe the given ones with their options.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class StrategiesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "NAME",
      arity = "0..*",
      description = "The strategies to describe (default: all).",
      completionCandidates = StrategyNames.class)
  private List<String> names = List.of();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    for (StrategyEntry<?> entry : chosen()) {
      out.printf("%-17s %s%n", entry.name(), entry.summary());
      out.printf("%-17s requires %s%n", "", requirements(entry));
      if (!entry.options().isEmpty()) {
        printOptions(entry, out);
      }
      if (!entry.citation().isEmpty()) {
        out.printf("%-17s %s%n", "", entry.citation());
      }
      out.println();
    }
    out.flush();
    return ExitCode.SUCCESS;
  }

  private List<StrategyEntry<?>> chosen() {
    return names.isEmpty()
        ? Strategies.all()
        : names.stream().<StrategyEntry<?>>map(Strategies::named).toList();
  }

  private static String requirements(StrategyEntry<?> entry) {
    String requirements =
        entry.create().requirements().stream()
            .sorted()
            .map(Requirement::description)
            .collect(Collectors.joining(" and "));
    return requirements.isEmpty() ? "only the pool" : requirements;
  }

  /** Prints one option per line with its default and, if there are few, the other values. */
  private static void printOptions(StrategyEntry<?> entry, PrintWriter out) {
    String title = "options";
    for (Map.Entry<String, String> option : entry.options().entrySet()) {
      String values = values(entry, option.getKey(), option.getValue());
      out.printf("%-17s %-7s %s=%s%n", "", title, option.getKey(), values);
      title = "";
    }
  }

  private static String values(StrategyEntry<?> entry, String option, String value) {
    List<String> others =
        entry.choices(option).stream().filter(choice -> !choice.equals(value)).toList();
    return others.isEmpty() ? value : value + " (or " + String.join(", ", others) + ")";
  }
}
