package org.alfamix.bench;

import org.alfamix.command.CommandRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code alfamix bench}: measures the engine beside something known. */
@Command(
    name = "bench",
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
      LabBenchCommand.class,
      StudioBenchCommand.class,
      SparkBenchCommand.class,
      MeasureCommand.class
    })
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs a measurement in a process of its own, as other measurements start it. */
  public static void main(String[] arguments) {
    System.exit(CommandRunner.run(CommandRunner.configure(new BenchCommand()), arguments));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command.");
  }
}
