package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.alfamix.lab.run.Round;
import org.alfamix.lab.run.RunFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Repeats runs of the committed results. */
@Tag("slow")
class RerunTest {
  private static final Path RESULTS = Path.of("..", "results");

  @TempDir private Path folder;

  private static RunFile run(Path runs, String method) {
    return RunFile.read(runs.resolve("letter-mlp").resolve(method + "-seed-1.jsonl")).orElseThrow();
  }

  @Test
  void reproducesTheFirstRoundsOfACommittedRun() {
    Path again = folder.resolve("again");
    CommandOutcome run =
        CommandOutcome.of(
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

    // On any machine, random picks are equal, and accuracies are equal up to effects of rounding.
    for (int r = 0; r <= 3; r++) {
      Round then = run(RESULTS, "random").rounds().get(r);
      Round now = run(again, "random").rounds().get(r);
      assertArrayEquals(then.labelled(), now.labelled(), "round " + r);
      assertEquals(then.accuracy(), now.accuracy(), 0.02, "round " + r);
      assertEquals(
          run(RESULTS, "alfamix").rounds().get(r).accuracy(),
          run(again, "alfamix").rounds().get(r).accuracy(),
          0.05,
          "round " + r);
    }

    // On the same kind of machine, everything is equal.
    CommandOutcome compare =
        CommandOutcome.of("lab", "compare", RESULTS.toString(), again.toString());
    Map<String, String> then = run(RESULTS, "alfamix").header().provenance().facts();
    Map<String, String> now = run(again, "alfamix").header().provenance().facts();
    for (String topic : List.of("processor", "kernels", "java", "engine", "device")) {
      assumeTrue(
          then.get(topic).equals(now.get(topic)) || compare.code() == 0,
          "the rest is skipped: %s was %s, is %s; the last bits may differ"
              .formatted(topic, then.get(topic), now.get(topic)));
    }
    assertEquals("2 of 2 runs are identical; identical rounds: 8.\n", compare.out());
  }
}
