package org.alfamix.studio.command;

import java.nio.file.Path;
import java.time.Clock;
import org.alfamix.command.DataFolder;
import org.alfamix.command.Shell;
import org.alfamix.io.DataException;
import org.alfamix.studio.Studio;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.StoreException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The folder of the projects. */
final class StudioFolder {
  @Option(
      names = "--home",
      paramLabel = "FOLDER",
      description =
          "The folder of the projects (default: $ALFAMIX_STUDIO, or .alfamix/studio in your home"
              + " folder).")
  private Path folder;

  @Mixin private DataFolder data;

  Studio open() {
    return new Studio(path(), data.path(), Clock.systemUTC());
  }

  Path data() {
    return data.path();
  }

  /** Returns the option that opens the same folder again; empty for the default folder. */
  String option() {
    return folder == null ? "" : " --home " + Shell.quote(folder.toString());
  }

  Path path() {
    if (folder != null) {
      return folder;
    }
    String variable = System.getenv("ALFAMIX_STUDIO");
    return variable == null || variable.isBlank()
        ? Path.of(System.getProperty("user.home"), ".alfamix", "studio")
        : Path.of(variable);
  }

  /** Returns a project by its name; the error for an unknown name lists the existing ones. */
  static Project find(Studio studio, String name) {
    try {
      return studio.project(name);
    } catch (StoreException e) {
      String others =
          String.join(", ", studio.store().projects().all().stream().map(Project::name).toList());
      throw new DataException(
          e.getMessage() + (others.isEmpty() ? "" : " Existing projects: " + others + "."), e);
    }
  }
}
