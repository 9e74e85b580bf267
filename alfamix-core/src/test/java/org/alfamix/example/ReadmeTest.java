package org.alfamix.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;
import org.junit.jupiter.api.Test;

/** Checks the example and the table of strategies in the README. */
class ReadmeTest {
  private static final Path MODULE = Path.of("").toAbsolutePath();

  private static String readme() throws IOException {
    return Files.readString(MODULE.resolveSibling("README.md"));
  }

  @Test
  void exampleRuns() {
    float[] embeddings = new float[50_000 * 256];
    float[] weight = new float[10 * 256];
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < embeddings.length; i++) {
      embeddings[i] = (float) Math.max(0, random.nextDouble() - 0.5);
    }
    for (int i = 0; i < weight.length; i++) {
      weight[i] = (float) (random.nextDouble() - 0.5);
    }
    float[] bias = new float[10];
    FloatMatrix labelled = FloatMatrix.wrap(Arrays.copyOf(embeddings, 20 * 256), 20, 256);
    int[] labels = random.ints(20, 0, 10).toArray();

    FloatMatrix pool = FloatMatrix.wrap(embeddings, 50_000, 256);
    LinearHead head = new LinearHead(FloatMatrix.wrap(weight, 10, 256), bias);
    Snapshot snapshot = Snapshot.of(pool).labelled(labelled, labels).head(head).build();

    QueryStrategy strategy = Strategies.create("alfamix", Map.of("restarts", "1"));
    Selection selection = strategy.select(snapshot, 100, new SplittableRandom(1));

    assertEquals(100, selection.picks().stream().map(Pick::item).distinct().count());
  }

  @Test
  void examplesMatchTheTestedCode() throws IOException {
    String source =
        Files.readString(MODULE.resolve("src/test/java/org/alfamix/example/ReadmeTest.java"))
            .replace("Map.of(\"restarts\", \"1\")", "Map.of()");
    String guide = Files.readString(MODULE.resolveSibling("docs").resolve("guide/java.md"));
    for (String page : List.of(readme(), guide)) {
      int start = page.indexOf("```java\n") + 8;
      String example = page.substring(start, page.indexOf("```", start)).split("for \\(Pick")[0];
      assertTrue(example.contains("strategy.select("), example);
      for (String line : example.lines().filter(line -> !line.isBlank()).toList()) {
        String code = line.replaceAll(" *//.*", "").strip();
        assertTrue(source.contains(code), code);
      }
    }
  }

  @Test
  void tableListsOnlyExistingStrategies() throws IOException {
    Set<String> names =
        Strategies.all().stream().map(StrategyEntry::name).collect(Collectors.toSet());
    List<String> listed =
        readme()
            .lines()
            .filter(line -> line.startsWith("| `"))
            .map(line -> line.substring(3, line.indexOf('`', 3)))
            .toList();
    assertTrue(listed.contains("alfamix"));
    for (String name : listed) {
      assertTrue(names.contains(name), name);
    }
  }
}
