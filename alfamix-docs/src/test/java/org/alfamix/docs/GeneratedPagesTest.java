package org.alfamix.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.command.Subcommands;
import org.junit.jupiter.api.Test;

/**
 * Compares the generated pages of the reference with the code. {@code -Dalfamix.write-docs=yes}
 * writes them.
 */
class GeneratedPagesTest {
  private static final Path REFERENCE = Path.of("..", "docs", "reference");

  private static void compare(String name, String generated) throws IOException {
    Path file = REFERENCE.resolve(name);
    if (System.getProperty("alfamix.write-docs") != null) {
      Files.writeString(file, generated);
    }
    assertEquals(
        generated,
        Files.readString(file),
        name + " is out of date: run the tests with -Dalfamix.write-docs=yes");
  }

  @Test
  void thePageOfCommandsIsUpToDate() throws IOException {
    compare("commands.md", CommandReference.markdown());
  }

  @Test
  void thePageOfTheRestInterfaceIsUpToDate() throws IOException {
    compare("rest.md", RestReference.markdown());
  }

  @Test
  void theTableOfSettingsIsUpToDate() throws IOException {
    String page = Files.readString(REFERENCE.resolve("settings.md"));
    compare("settings.md", SettingsReference.update(page));
  }

  @Test
  void everyOptionHasADescription() {
    CommandReference.markdown()
        .lines()
        .filter(line -> line.matches("\\| `-.*"))
        .forEach(line -> assertFalse(line.matches(".*\\|\\s*(Required\\.)?\\s*\\|"), line));
  }

  @Test
  void everyCommandOfEveryModuleIsDescribed() {
    String page = CommandReference.markdown();
    for (String name :
        List.of("select", "train", "embed", "lab run", "studio serve", "spark select", "bench")) {
      assertTrue(page.contains("\n## alfamix " + name + "\n"), name);
    }
    Subcommands.KNOWN.forEach(
        known -> assertTrue(page.contains("[`alfamix " + known.name() + "`]"), known.name()));
  }
}
