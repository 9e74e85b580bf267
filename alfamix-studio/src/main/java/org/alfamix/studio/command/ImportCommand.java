package org.alfamix.studio.command;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.alfamix.studio.Studio;
import org.alfamix.studio.web.LabelImport;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Imports existing labels. */
@Command(
    name = "import",
    description =
        "Import labels from a CSV or JSONL file with the columns 'item' or 'name', and 'label'.",
    mixinStandardHelpOptions = true)
final class ImportCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(index = "0", paramLabel = "NAME", description = "The project.")
  private String name;

  @Parameters(index = "1", paramLabel = "FILE", description = "The file of labels.")
  private Path file;

  @Option(
      names = "--annotator",
      paramLabel = "NAME",
      description = "The annotator to record (default: ${DEFAULT-VALUE}).",
      defaultValue = "import")
  private String annotator;

  @Mixin private StudioFolder home;

  @Override
  public Integer call() {
    try (Studio studio = home.open()) {
      int count =
          new LabelImport(studio, StudioFolder.find(studio, name)).importLabels(file, annotator);
      spec.commandLine().getOut().printf("Imported %,d labels.%n", count);
    }
    return 0;
  }
}
