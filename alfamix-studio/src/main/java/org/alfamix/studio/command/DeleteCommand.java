package org.alfamix.studio.command;

import java.util.concurrent.Callable;
import org.alfamix.studio.Studio;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes a project with its labels; its source files are not deleted. */
@Command(
    name = "delete",
    description = "Delete a project with all its labels. The source files are not deleted.",
    mixinStandardHelpOptions = true)
final class DeleteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NAME", description = "The project.")
  private String name;

  @Option(names = "--yes", description = "Confirm the deletion.")
  private boolean confirmed;

  @Mixin private StudioFolder home;

  @Override
  public Integer call() {
    try (Studio studio = home.open()) {
      var project = StudioFolder.find(studio, name);
      if (!confirmed) {
        throw new ParameterException(
            spec.commandLine(),
            "This deletes '%s' with its %,d labels; add --yes to confirm."
                .formatted(name, studio.store().ledger().countLabels(project.id())));
      }
      studio.delete(project);
    }
    return 0;
  }
}
