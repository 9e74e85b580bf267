package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.alfamix.command.ExitCode;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the completion script for all commands. */
@Command(
    name = "completion",
    description = {
      "Print a script that completes commands and options in bash and zsh.",
      "",
      "Enable completion in the current shell: source <(alfamix completion)"
    },
    mixinStandardHelpOptions = true)
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine alfamix = spec.root().commandLine();
    PrintWriter out = spec.commandLine().getOut();
    out.println(AutoComplete.bash(alfamix.getCommandName(), alfamix));
    out.flush();
    return ExitCode.SUCCESS;
  }
}
