package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.alfamix.lab.run.RunFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The runs that the project has committed can be made again. */
class RerunTest {
  private static final Path RESULTS = Path.of("..", "results");

  @TempDir private Path folder;

  private static Map<String, String> maker(Path runs) {
    return RunFile.read(runs.resolve("letter-mlp").resolve("alfamix-seed-1.jsonl"))
        .orElseThrow()
        .header()
        .provenance()
        .facts();
  }

  @Test
  void theFirstRoundsOfACommittedRunComeOutTheSame() {
    Path again = folder.resolve("again");
    Outcome run =
        Outcome.of(
            "lab",
            "run",
            "letter-mlp",
            "--strategies",
            "random,alfamix",
            "--seeds",
            "1",
            "--rounds",
            "3",
            "--runs",
            again.toString());
    assertEquals(0, run.code(), run.err());
    Outcome compare = Outcome.of("lab", "compare", RESULTS.toString(), again.toString());
    Map<String, String> then = maker(RESULTS);
    Map<String, String> now = maker(again);
    for (String topic : List.of("processor", "kernels", "java", "engine", "device")) {
      assumeTrue(
          then.get(topic).equals(now.get(topic)) || compare.code() == 0,
          "skipped: %s was %s, is %s; numbers may differ"
              .formatted(topic, then.get(topic), now.get(topic)));
    }
    assertEquals("2 of 2 runs are the same; 8 rounds were compared and found so.\n", compare.out());
  }
}
