package org.alfamix.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code alfamix bench}: how fast the engine is, measured beside something known. */
@Command(
    name = "alfamix bench",
    description = "Measure speed and memory; tables are written as Markdown to standard output.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      KernelsCommand.class,
      CompareCommand.class,
      GrowthCommand.class,
      ShellCommand.class,
      LargeCommand.class,
      VariantsCommand.class,
      AttackCommand.class,
      LearnersCommand.class,
      EmbedBenchCommand.class,
      RoundsCommand.class,
      LabCommand.class,
      StudioCommand.class,
      SparkCommand.class,
      MeasureCommand.class
    })
public final class Main {

  public static void main(String[] args) {
    int code =
        new CommandLine(new Main())
            .setUsageHelpAutoWidth(true)
            .setExecutionExceptionHandler(
                (failure, command, parsed) -> {
                  command.getErr().println("alfamix bench: " + failure.getMessage());
                  return 1;
                })
            .execute(args);
    System.exit(code);
  }
}
