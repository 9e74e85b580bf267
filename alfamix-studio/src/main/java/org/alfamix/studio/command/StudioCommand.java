package org.alfamix.studio.command;

import org.alfamix.command.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code alfamix studio}. */
@Command(
    name = "studio",
    description = {
      "Label in the browser, with a model that is trained on the labels and selects the items.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    subcommands = {
      NewCommand.class,
      ServeCommand.class,
      ListCommand.class,
      ExportCommand.class,
      ImportCommand.class,
      DeleteCommand.class,
      HelpCommand.class
    },
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  alfamix studio new demo --data digits",
      "  alfamix studio new birds --images ./birds --classes heron,egret,stork",
      "  alfamix studio serve",
      "  alfamix studio export birds --output birds.csv"
    })
public final class StudioCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Missing command.");
  }
}
