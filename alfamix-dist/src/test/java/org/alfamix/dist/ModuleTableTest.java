package org.alfamix.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the table of modules in the architecture guide with the build files. */
class ModuleTableTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern MODULE = Pattern.compile("<module>(alfamix-[a-z]+)</module>");
  private static final Pattern ROW =
      Pattern.compile("(?m)^\\| `(alfamix-[a-z]+)` \\|[^|]*\\| ([\\d,]+) \\|(.*)\\|$");
  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "<dependency>\\s*<groupId>org.alfamix</groupId>\\s*"
              + "<artifactId>alfamix-([a-z]+)</artifactId>(.*?)</dependency>",
          Pattern.DOTALL);

  private static Set<String> dependencies(String module) throws IOException {
    String pom = Files.readString(ROOT.resolve(module).resolve("pom.xml"));
    return DEPENDENCY
        .matcher(pom.replaceAll("(?s)<profiles>.*</profiles>", ""))
        .results()
        .filter(found -> !found.group(2).contains("<scope>test</scope>"))
        .map(found -> found.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> names(MatchResult row) {
    return Arrays.stream(row.group(3).split(","))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void tableListsAllModulesWithTheirDependencies() throws IOException {
    Map<String, Set<String>> actual = new TreeMap<>();
    for (MatchResult module :
        MODULE.matcher(Files.readString(ROOT.resolve("pom.xml"))).results().toList()) {
      actual.put(module.group(1), dependencies(module.group(1)));
    }
    assertFalse(actual.isEmpty());
    Map<String, Set<String>> documented = new TreeMap<>();
    ROW.matcher(Files.readString(ROOT.resolve("docs/background/architecture.md")))
        .results()
        .forEach(row -> documented.put(row.group(1), names(row)));
    assertEquals(actual, documented);
  }

  /** The sizes are for orientation, so a difference of up to a third is accepted. */
  @Test
  void tableShowsTheSizesOfAllModules() throws IOException {
    for (MatchResult row :
        ROW.matcher(Files.readString(ROOT.resolve("docs/background/architecture.md")))
            .results()
            .toList()) {
      double shown = Double.parseDouble(row.group(2).replace(",", ""));
      double lines = lines(ROOT.resolve(row.group(1)).resolve("src/main"));
      assertEquals(lines, shown, Math.max(100, lines / 3), row.group(1));
    }
  }

  private static long lines(Path sources) throws IOException {
    if (!Files.isDirectory(sources)) {
      return 0;
    }
    long lines = 0;
    try (Stream<Path> files = Files.walk(sources)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
        lines += Files.readAllLines(file).size();
      }
    }
    return lines;
  }
}
