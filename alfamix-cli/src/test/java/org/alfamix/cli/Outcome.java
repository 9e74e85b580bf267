package org.alfamix.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.alfamix.command.CommandRunner;

/** What a person gets from a command: the exit code and what was printed. */
record Outcome(int code, String out, String err) {

  static Outcome of(String... args) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int code =
        CommandRunner.run(
            Main.commandLine().setOut(new PrintWriter(out)).setErr(new PrintWriter(err)), args);
    return new Outcome(code, out.toString(), err.toString());
  }
}
