package org.alfamix.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.alfamix.command.ExitCode;
import org.alfamix.command.Version;
import org.alfamix.lab.run.Archive;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Compresses completed runs. */
@Command(
    name = "pack",
    description = {
      "Compress completed runs for a repository or an archive. 'alfamix lab report', 'alfamix lab"
          + " compare' and 'alfamix lab run' also read packed runs; 'alfamix lab run' unpacks a run"
          + " to add rounds.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  alfamix lab pack runs               compress the runs in place",
      "  alfamix lab pack runs -o results    add them to another folder"
    })
final class LabPackCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FOLDER",
      description = "A folder of runs, written by 'alfamix lab run --runs FOLDER'.")
  private Path folder;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FOLDER",
      description = "The output folder (default: the same folder).")
  private Path output;

  @Override
  public Integer call() {
    if (output != null && output.toString().isBlank()) {
      throw new ParameterException(
          spec.commandLine(), "--output is empty, expected a folder name.");
    }
    Path target = output == null ? folder : output;
    Archive.Summary summary = Archive.pack(folder, target);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "Packed %d %s into %s.%n",
        summary.packed(), summary.packed() == 1 ? "run" : "runs", target);
    summary.skipped().forEach(run -> out.printf("Skipped: %s.%n", run));
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    summary.broken().forEach(run -> err.printf("alfamix: skipped: %s.%n", run));
    return summary.broken().isEmpty() ? ExitCode.SUCCESS : ExitCode.INVALID_DATA;
  }
}
