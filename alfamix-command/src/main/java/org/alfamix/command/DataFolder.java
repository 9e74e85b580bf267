package org.alfamix.command;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The option that says where data sets are kept. */
public final class DataFolder {
  @Option(
      names = "--data-dir",
      paramLabel = "FOLDER",
      description =
          "Where data sets are kept (default: $ALFAMIX_DATA, or .alfamix/data in your home).")
  private Path folder;

  public Path path() {
    return of(folder);
  }

  /** Returns the given folder, or the default one where it is null. */
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
