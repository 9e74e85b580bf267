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
      "Compare strategies in experiments: settings, resumable runs, statistics and figures.",
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
      "  alfamix lab settings                      list settings (31 of the paper)",
      "  alfamix lab run letter-mlp --runs runs    run one of these settings",
      "  alfamix lab run mine.yaml --seeds 3       run your own setting with 3 seeds",
      "  alfamix lab report runs -o report.html    create a report",
      "  alfamix lab pack runs -o results          compress completed runs",
      "  alfamix lab compare results runs          compare repeated and archived runs"
    })
final class LabCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing command; expected settings, run, report, pack or compare.");
  }
}
