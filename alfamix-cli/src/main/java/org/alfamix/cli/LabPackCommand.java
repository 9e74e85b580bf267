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

/** Makes runs small, to be kept. */
@Command(
    name = "pack",
    description = {
      "Compress finished runs, to keep them beside a paper or in a repository. Packed runs are read"
          + " like others: by 'alfamix lab report', by 'alfamix lab compare', and by 'alfamix lab"
          + " run', which unpacks one that is to have more rounds.",
      ""
    },
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  alfamix lab pack runs               where they are",
      "  alfamix lab pack runs -o results    into a folder that may have other runs already"
    })
final class LabPackCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "FOLDER",
      description = "What 'alfamix lab run --runs FOLDER' has filled.")
  private Path folder;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FOLDER",
      description = "Where to put them (default: where they are).")
  private Path output;

  @Override
  public Integer call() {
    if (output != null && output.toString().isBlank()) {
      throw new ParameterException(
          spec.commandLine(), "--output is empty, expected the name of a folder.");
    }
    Path target = output == null ? folder : output;
    Archive.Summary summary = Archive.pack(folder, target);
    PrintWriter out = spec.commandLine().getOut();
    out.printf(
        "Packed %d %s into %s.%n",
        summary.packed(), summary.packed() == 1 ? "run" : "runs", target);
    summary.left().forEach(run -> out.printf("Left out: %s.%n", run));
    out.flush();
    PrintWriter err = spec.commandLine().getErr();
    summary.broken().forEach(run -> err.printf("alfamix: left out: %s.%n", run));
    return summary.broken().isEmpty() ? ExitCode.DONE : ExitCode.BAD_DATA;
  }
}
