package org.alfamix.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.alfamix.lab.report.Report;
import org.alfamix.lab.report.Results;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Tables and figures. */
@Command(name = "report", mixinStandardHelpOptions = true)
final class LabReportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "FOLDER")
  private Path folder;

  @Option(names = {"-o", "--output"})
  private Path output;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    Report.of(Results.read(folder)).write(output);
    out.flush();
    return ExitCode.DONE;
  }
}
