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

/** Compares repeated runs with archived runs. */
@Command(
    name = "compare",
    description = {
      "Compare repeated runs with archived runs. Rounds that exist in both must be equal, except"
          + " for times. The exit code is 1 if a round differs and 3 if a run cannot be read.",
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
      "Runs are reproducible with the same Java version and processor model. On other machines,"
          + " numbers differ in their last bits; near ties may then be resolved differently, and"
          + " later rounds differ as well."
    })
final class LabCompareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "ARCHIVED",
      description = "The folder of the archived runs, packed or not.")
  private Path archived;

  @Parameters(
      index = "1",
      paramLabel = "REPEATED",
      description = "The folder of the repeated runs.")
  private Path repeated;

  @Override
  public Integer call() {
    Rerun.Summary summary = Rerun.compare(archived, repeated);
    PrintWriter out = spec.commandLine().getOut();
    summary.different().forEach(out::println);
    summary.skipped().forEach(run -> out.printf("Not compared: %s.%n", run));
    out.printf(
        "%d of %d %s identical; identical rounds: %d.%n",
        summary.runs() - summary.different().size(),
        summary.runs(),
        summary.runs() == 1 ? "run is" : "runs are",
        summary.rounds());
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    summary.broken().forEach(run -> err.printf("alfamix: not compared: %s.%n", run));
    if (!summary.broken().isEmpty()) {
      return ExitCode.INVALID_DATA;
    }
    return summary.different().isEmpty() ? ExitCode.SUCCESS : ExitCode.INTERNAL;
  }
}
