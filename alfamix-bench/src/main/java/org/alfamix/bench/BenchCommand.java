package org.alfamix.bench;

import org.alfamix.command.CommandRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code alfamix bench}, which has a subcommand for each benchmark. */
@Command(
    name = "bench",
    description = "Measure speed and memory, and print the results as Markdown tables.",
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
      TextsBenchCommand.class,
      RoundsCommand.class,
      LabBenchCommand.class,
      StudioBenchCommand.class,
      SparkBenchCommand.class,
      MeasureCommand.class
    })
public final class BenchCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** Runs a benchmark in a separate process; other benchmarks start it. */
  public static void main(String[] arguments) {
    System.exit(CommandRunner.run(CommandRunner.configure(new BenchCommand()), arguments));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command.");
  }
}
