package org.alfamix.studio.command;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The command {@code alfamix studio}. */
@Command(
    name = "alfamix studio",
    description = {
      "Label in the browser: the engine chooses what to ask, and a model learns beside it.",
      ""
    },
    mixinStandardHelpOptions = true,
    subcommands = {NewCommand.class, ServeCommand.class},
    commandListHeading = "%nCommands:%n",
    footer = {
      "",
      "Examples:",
      "  alfamix studio new demo --data digits",
      "  alfamix studio new birds --images ./birds --classes heron,egret,stork",
      "  alfamix studio serve"
    })
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    CommandLine line = new CommandLine(new Main());
    line.setExecutionExceptionHandler(
        (e, command, parsed) -> {
          command.getErr().println("alfamix: " + e.getMessage());
          return 1;
        });
    System.exit(line.execute(args));
  }
}
