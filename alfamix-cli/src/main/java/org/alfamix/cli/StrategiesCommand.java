package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.alfamix.strategy.Requirement;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists the query strategies. */
@Command(
    name = "strategies",
    description = "List the methods: what each picks, needs and can be told.",
    mixinStandardHelpOptions = true,
    versionProvider = Version.class)
final class StrategiesCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    for (StrategyEntry<?> entry : Strategies.all()) {
      out.printf("%-17s %s%n", entry.name(), entry.summary());
      out.printf("%-17s needs %s%n", "", needs(entry));
      if (!entry.options().isEmpty()) {
        out.printf("%-17s options %s%n", "", options(entry));
      }
      if (!entry.citation().isEmpty()) {
        out.printf("%-17s %s%n", "", entry.citation());
      }
      out.println();
    }
    out.flush();
    return ExitCode.DONE;
  }

  private static String needs(StrategyEntry<?> entry) {
    String needs =
        entry.create().requirements().stream()
            .sorted()
            .map(Requirement::description)
            .collect(Collectors.joining(" and "));
    return needs.isEmpty() ? "nothing but the pool" : needs;
  }

  /** With their defaults; where the values are few, the others stand behind. */
  private static String options(StrategyEntry<?> entry) {
    return entry.options().entrySet().stream()
        .map(option -> option.getKey() + "=" + values(entry, option.getKey(), option.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String values(StrategyEntry<?> entry, String option, String value) {
    List<String> others =
        entry.choices(option).stream().filter(choice -> !choice.equals(value)).toList();
    return others.isEmpty() ? value : value + " (or " + String.join(", ", others) + ")";
  }
}
