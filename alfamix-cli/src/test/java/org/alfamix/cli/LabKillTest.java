package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares experiments that are killed ten times at random moments with uninterrupted ones. */
@Tag("slow")
class LabKillTest {
  private static final int KILLS = 10;

  /** The seed of the moments of the kills. */
  private static final long SEED = Long.getLong("alfamix.kill-seed", 1);

  @TempDir private Path folder;

  private Process start(Path runs) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-modules=jdk.incubator.vector",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "lab",
                "run",
                folder.resolve("fresh.yaml").toString(),
                folder.resolve("continuing.yaml").toString(),
                "--runs",
                runs.toString(),
                "--jobs",
                "2"));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("output.txt").toFile())
        .start();
  }

  private void finish(Path runs) throws Exception {
    Process process = start(runs);
    assertTrue(process.waitFor(5, TimeUnit.MINUTES), "the experiments take too long");
    assertEquals(0, process.exitValue(), Files.readString(folder.resolve("output.txt")));
  }

  /** Returns all rounds of all runs, without times. */
  private static Map<String, List<String>> lines(Path runs) throws IOException {
    Map<String, List<String>> lines = new TreeMap<>();
    try (Stream<Path> files = Files.walk(runs)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jsonl")).toList()) {
        List<String> own = Files.readAllLines(file);
        lines.put(
            runs.relativize(file).toString(),
            own.subList(1, own.size()).stream()
                .map(line -> line.replaceAll("\"seconds\":\\{[^}]*}", ""))
                .toList());
      }
    }
    return lines;
  }

  /** Returns the size of all run files in bytes. */
  private static long size(Path runs) throws IOException {
    if (!Files.isDirectory(runs)) {
      return 0;
    }
    long size = 0;
    try (Stream<Path> files = Files.walk(runs)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jsonl")).toList()) {
        size += Files.size(file);
      }
    }
    return size;
  }

  private static void delete(Path runs) throws IOException {
    try (Stream<Path> files = Files.walk(runs)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Test
  void givesTheSameResultsAfterKillsAtRandomMoments() throws Exception {
    String setting =
        "data: digits\nnetwork: mlp\ninitial: 20\nbudget: 20\nrounds: 12\nseeds: 2\n"
            + "strategies: [random, badge, alfamix]\n";
    Files.writeString(folder.resolve("fresh.yaml"), setting);
    Files.writeString(folder.resolve("continuing.yaml"), setting + "start: continue\n");
    Path uninterrupted = folder.resolve("uninterrupted");
    long start = System.nanoTime();
    finish(uninterrupted);
    long millis = (System.nanoTime() - start) / 1_000_000;
    Map<String, List<String>> expected = lines(uninterrupted);
    assertEquals(12, expected.size());
    expected.forEach((run, rounds) -> assertEquals(13, rounds.size(), run));

    Path killed = folder.resolve("killed");
    SplittableRandom random = new SplittableRandom(SEED);
    int kills = 0;
    int interrupted = 0;
    while (kills < KILLS) {
      long before = size(killed);
      Process process = start(killed);
      // Every other kill happens at any moment after the start of Java, the others between rounds.
      if (kills % 2 == 1) {
        while (process.isAlive() && size(killed) == before) {
          Thread.sleep(5);
        }
      }
      long moment = random.nextLong(kills % 2 == 1 ? 1 + millis / 12 : 1500 + millis / 12);
      if (process.waitFor(moment, TimeUnit.MILLISECONDS)) {
        // The experiments completed before the kill. Check the results and start from scratch.
        assertEquals(expected, lines(killed), "seed " + SEED);
        delete(killed);
        continue;
      }
      process.destroyForcibly().waitFor(); // SIGKILL
      assertEquals(137, process.exitValue());
      kills++;
      interrupted += size(killed) > before ? 1 : 0;
    }
    assertTrue(interrupted >= KILLS / 2, "only " + interrupted + " kills interrupted rounds");
    finish(killed);
    assertEquals(expected, lines(killed), "seed " + SEED);
  }
}
