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

/** Where projects are kept. */
final class Home {
  @Option(
      names = "--home",
      paramLabel = "FOLDER",
      description =
          "Where projects are kept (default: $ALFAMIX_STUDIO, or .alfamix/studio in your home).")
  private Path folder;

  @Mixin private DataFolder data;

  Studio open() {
    return new Studio(path(), data.path(), Clock.systemUTC());
  }

  Path data() {
    return data.path();
  }

  /** Returns the option that opens the same folder again; empty where it is the usual one. */
  String option() {
    return folder == null ? "" : " --home " + Shell.quote(folder.toString());
  }

  Path path() {
    if (folder != null) {
      return folder;
    }
    String wish = System.getenv("ALFAMIX_STUDIO");
    return wish == null || wish.isBlank()
        ? Path.of(System.getProperty("user.home"), ".alfamix", "studio")
        : Path.of(wish);
  }

  /** A project by its name; the message of what is missing names those there are. */
  static Project find(Studio studio, String name) {
    try {
      return studio.project(name);
    } catch (StoreException e) {
      String others =
          String.join(", ", studio.store().projects().all().stream().map(Project::name).toList());
      throw new DataException(
          e.getMessage() + (others.isEmpty() ? "" : " There are: " + others + "."), e);
    }
  }
}
