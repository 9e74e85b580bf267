package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import org.alfamix.lab.run.Round;
import org.alfamix.lab.run.RunFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares three runs of the lab with recorded runs. */
class RecordedRunsTest {
  private static final Path RECORDING = Path.of("src/test/resources/recorded/runs");

  @TempDir private Path folder;

  private static RunFile run(Path runs, String method) {
    return RunFile.read(runs.resolve("digits-mlp").resolve(method + "-seed-1.jsonl")).orElseThrow();
  }

  @Test
  void runsMatchTheRecording() {
    boolean record = System.getProperty("alfamix.record") != null;
    Path runs = record ? RECORDING : folder.resolve("runs");
    List<String> command =
        List.of(
            "lab",
            "run",
            "digits-mlp",
            "--strategies",
            "random,coreset,alfamix",
            "--seeds",
            "1",
            "--rounds",
            "3",
            "--runs",
            runs.toString());
    CommandOutcome run = CommandOutcome.of(command.toArray(String[]::new));
    assertEquals(0, run.code(), run.err());

    // On any machine, random picks are equal, and accuracies are equal up to effects of rounding.
    for (String method : List.of("random", "coreset", "alfamix")) {
      for (int r = 0; r <= 3; r++) {
        Round then = run(RECORDING, method).rounds().get(r);
        Round now = run(runs, method).rounds().get(r);
        assertEquals(then.accuracy(), now.accuracy(), 0.05, method + ", round " + r);
        if (method.equals("random")) {
          assertArrayEquals(then.labelled(), now.labelled(), "round " + r);
        }
      }
    }

    // On the same kind of machine, everything is equal.
    CommandOutcome compare =
        CommandOutcome.of("lab", "compare", RECORDING.toString(), runs.toString());
    var then = run(RECORDING, "alfamix").header().provenance().facts();
    var now = run(runs, "alfamix").header().provenance().facts();
    for (String topic : List.of("processor", "kernels", "java", "engine", "device")) {
      assumeTrue(
          then.get(topic).equals(now.get(topic)) || compare.code() == 0,
          "the rest is skipped: %s was %s, is %s; the last bits may differ"
              .formatted(topic, then.get(topic), now.get(topic)));
    }
    assertEquals(0, compare.code(), compare.out() + compare.err());
  }
}
