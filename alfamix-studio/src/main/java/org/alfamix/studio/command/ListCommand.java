package org.alfamix.studio.command;

import java.util.concurrent.Callable;
import org.alfamix.studio.Studio;
import org.alfamix.studio.store.Project;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Lists projects. */
@Command(name = "list", description = "List all projects.", mixinStandardHelpOptions = true)
final class ListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private StudioFolder home;

  @Override
  public Integer call() {
    try (Studio studio = home.open()) {
      for (Project project : studio.store().projects().all()) {
        spec.commandLine()
            .getOut()
            .printf(
                "%-24s %,d of %,d items labelled%n",
                project.name(),
                studio.store().ledger().countLabels(project.id()),
                studio.store().projects().items(project.id()));
      }
    }
    return 0;
  }
}
