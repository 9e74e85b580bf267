package org.alfamix.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Version;
import org.alfamix.lab.run.Rerun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Whether runs that were made again say the same. */
@Command(
    name = "compare",
    description = {
      "Compare runs that were made again with those that were kept: every round that both have must"
          + " say the same, but for times. The exit code is 1 where one does not, and 3 where one"
          + " cannot be read.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Example:",
      "  alfamix lab run letter-mlp --seeds 1 --strategies alfamix --runs again",
      "  alfamix lab compare results again",
      "",
      "The same Java and the same kind of processor give the same numbers. Elsewhere the last bits"
          + " differ, a pick close to a tie may be another one, and rounds part from there on."
    })
final class LabCompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "KEPT", description = "Runs, packed or not.")
  private Path kept;

  @Parameters(index = "1", paramLabel = "AGAIN", description = "Runs that were made again.")
  private Path again;

  @Override
  public Integer call() {
    Rerun.Summary summary = Rerun.compare(kept, again);
    PrintWriter out = spec.commandLine().getOut();
    summary.different().forEach(out::println);
    summary.left().forEach(run -> out.printf("Not compared: %s.%n", run));
    out.printf(
        "%d of %d %s the same; %d rounds were compared and found so.%n",
        summary.runs() - summary.different().size(),
        summary.runs(),
        summary.runs() == 1 ? "run is" : "runs are",
        summary.rounds());
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    summary.broken().forEach(run -> err.printf("alfamix: not compared: %s.%n", run));
    if (!summary.broken().isEmpty()) {
      return ExitCode.BAD_DATA;
    }
    return summary.different().isEmpty() ? ExitCode.DONE : ExitCode.INTERNAL;
  }
}
