package org.alfamix.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import org.alfamix.io.table.TableEngine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with a launcher that builds nothing. */
class SourceModulesTest {
  @TempDir private Path folder;

  private String launcher(String script) throws IOException {
    return Files.writeString(folder.resolve("alfamix"), script).toString();
  }

  @Test
  void findsAnEngineInTheJarsOfTheLauncher() throws IOException {
    String jars =
        Arrays.stream(System.getProperty("java.class.path").split(":"))
            .filter(entry -> entry.matches(".*(alfamix-tables|duckdb).*"))
            .map(entry -> "echo '" + entry + "'")
            .collect(Collectors.joining("\n"));
    SourceModules modules =
        new SourceModules(
            launcher("[ \"$1 $2\" = '--build alfamix-tables' ] || exit 1\n" + jars + "\n"));
    Optional<TableEngine> engine = modules.find(TableEngine.class);
    assertTrue(engine.isPresent());
    assertEquals(Optional.empty(), modules.find(Runnable.class));
  }

  @Test
  void findsNoEngineOutsideTheSourceTree() {
    assertEquals(Optional.empty(), new SourceModules(null).find(TableEngine.class));
  }
}
