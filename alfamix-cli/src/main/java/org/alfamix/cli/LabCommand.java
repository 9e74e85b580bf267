package org.alfamix.cli;

import org.alfamix.command.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Experiments; what can be done is in its subcommands. */
@Command(
    name = "lab",
    description = {
      "Compare methods by experiments: settings, runs that survive being killed, statistics and"
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
      "  alfamix lab run letter-mlp --runs runs    run one of them",
      "  alfamix lab run mine.yaml --seeds 3       a setting of your own",
      "  alfamix lab report runs -o report.html    tables and figures of what was run",
      "  alfamix lab pack runs -o results          finished runs, compressed, to be kept",
      "  alfamix lab compare results runs          whether runs say what they said then"
    })
final class LabCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "Missing command: settings, run, report, pack or compare.");
  }
}
