package org.alfamix.example;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Checks that the example in the contributors' guide is the compiled and tested one. */
class ContributingTest {

  @Test
  void guideContainsTheExample() throws IOException {
    Path module = Path.of("").toAbsolutePath();
    String guide = Files.readString(module.resolveSibling("CONTRIBUTING.md"));
    String source =
        Files.readString(module.resolve("src/test/java/org/alfamix/example/SmallestNorm.java"));
    assertTrue(guide.contains("```java\n" + source + "```"), "CONTRIBUTING.md is out of date");
  }
}
