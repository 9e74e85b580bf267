package org.alfamix.datasets;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Real data that lies beside the project and not in it; without it a test is skipped. */
final class SharedData {
  private SharedData() {}

  static Path file(String name) {
    Path file = Path.of("..", "..", "shared", "data").resolve(name);
    Assumptions.assumeTrue(Files.exists(file), "skipped: there is no " + file);
    return file;
  }
}
