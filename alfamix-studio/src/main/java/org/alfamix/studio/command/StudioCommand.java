package org.alfamix.studio.command;

import java.util.Arrays;
import java.util.Locale;
import org.alfamix.command.CommandRunner;
import org.alfamix.command.Version;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code alfamix studio}. */
@Command(
    name = "alfamix studio",
    description = {
      "Label in the browser: the engine chooses what to ask, and a model learns beside it.",
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

  public static void main(String[] args) {
    Locale.setDefault(Locale.Category.FORMAT, Locale.ROOT);
    // Pictures are scaled where there is no screen, too.
    System.setProperty("java.awt.headless", "true");
    // The launchers may leave the name of this command in front.
    boolean named = args.length > 0 && args[0].equals("studio");
    String[] rest = named ? Arrays.copyOfRange(args, 1, args.length) : args;
    System.exit(CommandRunner.run(CommandRunner.configure(new StudioCommand()), rest));
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "Say what to do: a command is missing.");
  }
}
