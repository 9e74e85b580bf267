package org.alfamix.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.alfamix.command.CommandRunner;

/** The exit code and the output of a command. */
record CommandOutcome(int code, String out, String err) {

  static CommandOutcome of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        CommandRunner.run(
            Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), args);
    return new CommandOutcome(code, out.toString(), err.toString());
  }
}
