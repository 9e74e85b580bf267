package org.alfamix.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option for the folder of the data sets. */
public final class DataFolder {
  @Option(
      names = "--data-dir",
      paramLabel = "FOLDER",
      description =
          "The folder for data sets (default: $ALFAMIX_DATA, or .alfamix/data in the home folder).")
  private Path folder;

  public Path path() {
    return of(folder);
  }

  /** Returns the given folder, or the default one if it is null. */
  public static Path of(Path given) {
    if (given != null) {
      return given;
    }
    String variable = System.getenv("ALFAMIX_DATA");
    return variable == null || variable.isBlank()
        ? Path.of(System.getProperty("user.home"), ".alfamix", "data")
        : Path.of(variable);
  }
}
