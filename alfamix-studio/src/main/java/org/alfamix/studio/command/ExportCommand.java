package org.alfamix.studio.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.alfamix.io.AtomicFile;
import org.alfamix.studio.Studio;
import org.alfamix.studio.web.LabelExport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Writes the labels of a project to a file. */
@Command(
    name = "export",
    description = "Write the labels of a project to a file.",
    mixinStandardHelpOptions = true)
final class ExportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "The project.")
  private String name;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description =
          "The format: csv, jsonl, label-studio, or folders for a zip file with a folder per class"
              + " (default: ${DEFAULT-VALUE}).",
      defaultValue = "csv")
  private String format;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      required = true,
      description = "The output file.")
  private Path output;

  @Mixin private StudioFolder home;

  @Override
  public Integer call() {
    LabelExport.Format wanted = LabelExport.Format.named(format);
    try (Studio studio = home.open()) {
      LabelExport transfer = new LabelExport(studio, StudioFolder.find(studio, name));
      AtomicFile.write(output, out -> transfer.export(wanted, out));
    }
    return 0;
  }
}
