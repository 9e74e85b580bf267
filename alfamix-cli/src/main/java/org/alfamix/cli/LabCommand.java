package org.alfamix.cli;

import org.alfamix.command.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code alfamix lab}, which has a subcommand for each task. */
@Command(
    name = "lab",
    description = {
      "Compare methods in experiments: settings, runs that can be resumed, statistics and"
          + " figures.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      LabSettingsCommand.class,
      LabRunCommand.class,
      LabReportCommand.class,
      LabPackCommand.class,
      LabCompareCommand.class
    },
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  alfamix lab settings                      the paper's 31 settings, and more",
      "  alfamix lab run letter-mlp --runs runs    run one of them (example)",
      "  alfamix lab run mine.yaml --seeds 3       a setting of your own",
      "  alfamix lab report runs -o report.html    create tables and figures of the results",
      "  alfamix lab pack runs -o results          compress finished runs for an archive",
      "  alfamix lab compare results runs          compare repeated runs with archived ones"
    })
final class LabCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing command: settings, run, report, pack or compare.");
  }
}
