package org.alfamix.spark.command;

import java.util.Locale;
import org.alfamix.command.CommandRunner;
import org.alfamix.command.Version;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code alfamix spark}, and the main class for {@code spark-submit}. */
@Command(
    name = "spark",
    description = {
      "Select items from tables that are too large for one machine, on Apache Spark.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {SparkSelectCommand.class, SparkExampleCommand.class, HelpCommand.class},
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  alfamix spark example try --rows 200000",
      "  alfamix spark select --master local[2] --embeddings 'try/pool/*.parquet' \\",
      "      --labels try/labels.csv --budget 100 --output picks.csv",
      "  spark-submit --master spark://host:7077 alfamix-spark-job.jar select \\",
      "      --embeddings hdfs://host/pool --label-column label --budget 1000 \\",
      "      --output-folder hdfs://host/picks",
      "",
      "Guide: docs/guide/spark.md"
    })
public final class SparkCommand implements Runnable {
  @Spec private CommandSpec spec;

  /** The entry point for {@code spark-submit}, which has only this command. */
  public static void main(String[] args) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    CommandLine command = CommandRunner.configure(new SparkCommand());
    System.exit(CommandRunner.run(command.setCommandName("alfamix spark"), args));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command.");
  }
}
