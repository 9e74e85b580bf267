package org.alfamix.cli;

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
    return DataReader.folder(folder);
  }
}
