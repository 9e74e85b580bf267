package org.alfamix.datasets;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Finds real data stored outside the repository; tests are skipped without them. */
final class SharedData {
  private SharedData() {}

  static Path file(String name) {
    Path file = Path.of("..", "..", "shared", "data").resolve(name);
    Assumptions.assumeTrue(Files.exists(file), "skipped: " + file + " does not exist");
    return file;
  }
}
