package org.alfamix.lab.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.alfamix.io.DataException;
import org.alfamix.lab.report.Report;
import org.alfamix.lab.report.Results;
import org.alfamix.lab.report.TableFormat;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests packed runs and the comparison of repeated runs. */
class ArchiveTest {
  @TempDir private Path folder;
  private Path runs;
  private Path kept;

  @BeforeEach
  void writeRuns() {
    runs = folder.resolve("runs");
    kept = folder.resolve("kept");
    write(runs, 2, 0);
  }

  private static void write(Path where, int seeds, double better) {
    SyntheticRuns.write(
        where,
        Settings.find("mnist-mlp").get(0),
        List.of(Method.parse("random"), Method.parse("bald:rate=0"), Method.parse("alfamix")),
        seeds,
        (method, seed, round) ->
            0.5
                + 0.03 * round
                + 0.001 * seed
                + (method.equals("alfamix") ? 0.01 : 0)
                + (round > 3 ? better : 0));
  }

  private static long size(Path where) throws IOException {
    long size = 0;
    try (Stream<Path> files = Files.walk(where)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        size += Files.size(file);
      }
    }
    return size;
  }

  private static List<String> names(Path where) throws IOException {
    try (Stream<Path> files = Files.list(where)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  private static RunFile run(Path where, String name) {
    return RunFile.read(where.resolve("mnist-mlp").resolve(name + ".jsonl")).orElseThrow();
  }

  /** Returns all rounds of a run, including times. */
  private static List<String> lines(RunFile run) {
    return run.rounds().stream().map(Round::toJson).toList();
  }

  @Test
  void packsRunsWithoutLossInLessSpace() throws IOException {
    Archive.Summary summary = Archive.pack(runs, kept);
    assertEquals(6, summary.packed());
    assertEquals(List.of(), summary.skipped());
    assertTrue(
        names(kept.resolve("mnist-mlp")).contains("alfamix-seed-2.jsonl.gz"),
        names(kept.resolve("mnist-mlp")).toString());
    assertTrue(size(kept) < size(runs) / 4, size(kept) + " of " + size(runs));
    for (Path file : RunFile.list(runs.resolve("mnist-mlp"))) {
      RunFile open = RunFile.read(file).orElseThrow();
      RunFile packed = RunFile.read(kept.resolve("mnist-mlp").resolve(file.getFileName())).get();
      assertEquals(open.header(), packed.header());
      assertEquals(lines(open), lines(packed));
    }
    String tables = Report.of(Results.read(runs)).tables(TableFormat.JSON);
    assertEquals(tables, Report.of(Results.read(kept)).tables(TableFormat.JSON));
    assertTrue(
        names(runs.resolve("mnist-mlp")).contains("alfamix-seed-2.jsonl"), "sources are kept");
  }

  @Test
  void packsRunsInPlace() throws IOException {
    String tables = Report.of(Results.read(runs)).tables(TableFormat.JSON);
    Archive.pack(runs, runs);
    assertFalse(
        names(runs.resolve("mnist-mlp")).stream().anyMatch(name -> name.endsWith(".jsonl")));
    assertEquals(tables, Report.of(Results.read(runs)).tables(TableFormat.JSON));
    assertEquals(6, Archive.pack(runs, runs).packed(), "repeated packing changes nothing");
    assertEquals(tables, Report.of(Results.read(runs)).tables(TableFormat.JSON));
  }

  @Test
  void skipsIncompleteRunsAndKeepsStoredOnes() throws IOException {
    Path file = runs.resolve("mnist-mlp").resolve("random-seed-1.jsonl");
    List<String> all = Files.readAllLines(file);
    Files.write(file, all.subList(0, 4));
    Archive.Summary summary = Archive.pack(runs, kept);
    assertEquals(5, summary.packed());
    assertEquals(List.of("mnist-mlp/random-seed-1.jsonl: 3 of 11 rounds"), summary.skipped());

    Files.write(file, all);
    Files.delete(runs.resolve("mnist-mlp").resolve("random-seed-2.jsonl"));
    Archive.pack(runs, kept);
    assertEquals(6, RunFile.list(kept.resolve("mnist-mlp")).size());
  }

  @Test
  void packsOtherRunsIfOneIsBroken() throws IOException {
    Path file = runs.resolve("mnist-mlp").resolve("random-seed-1.jsonl");
    List<String> lines = Files.readAllLines(file);
    lines.set(3, lines.get(3).substring(0, 50));
    Files.write(file, lines);
    Archive.Summary summary = Archive.pack(runs, kept);
    assertEquals(5, summary.packed());
    assertTrue(summary.broken().get(0).contains("random-seed-1.jsonl, line 4"), summary.toString());
  }

  /** In any combination of forms, longer runs are kept and contradicting ones are rejected. */
  @ParameterizedTest
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void neverLosesStoredRounds(boolean sourcePacked, boolean targetPacked) throws IOException {
    write(kept, 1, 0);
    RunFile run = run(kept, "random-seed-1");
    Round last = run.rounds().get(10);
    run.append(
        new Round(11, last.labelled(), 0.9, 1, 1, last.query(), last.seconds(), 1, Map.of()));
    List<String> longer = lines(run(kept, "random-seed-1"));
    if (sourcePacked) {
      Archive.pack(runs, runs);
    }
    if (targetPacked) {
      Archive.pack(kept, kept);
    }
    Archive.pack(runs, kept);
    assertEquals(longer, lines(run(kept, "random-seed-1")));
    assertEquals(6, RunFile.list(kept.resolve("mnist-mlp")).size());

    Path other = folder.resolve("other");
    write(other, 1, 0.001);
    if (sourcePacked) {
      Archive.pack(other, other);
    }
    String message =
        assertThrows(DataException.class, () -> Archive.pack(other, kept)).getMessage();
    assertTrue(message.contains("differs from round 4 onwards"), message);
    assertEquals(longer, lines(run(kept, "random-seed-1")));
  }

  /** A setting with the same name but other training. */
  @Test
  void rejectsRunsOfAnotherSetting() throws IOException {
    Archive.pack(runs, kept);
    Path other = folder.resolve("other");
    write(other, 3, 0);
    Path file = other.resolve("mnist-mlp").resolve("random-seed-3.jsonl");
    Files.writeString(
        file, Files.readString(file).replaceFirst("\"start\":\"random\"", "\"start\":\"fresh\""));
    String problem = Archive.pack(other, kept).broken().get(0);
    assertTrue(
        problem.contains("was run with start 'fresh', but setting.yaml has 'random'"), problem);
    for (Path each : RunFile.list(other.resolve("mnist-mlp"))) {
      Files.writeString(
          each, Files.readString(each).replaceFirst("\"start\":\"random\"", "\"start\":\"fresh\""));
    }
    Path yaml = other.resolve("mnist-mlp").resolve("setting.yaml");
    Files.writeString(yaml, Files.readString(yaml).replace("start: random", "start: fresh"));
    String message =
        assertThrows(DataException.class, () -> Archive.pack(other, kept)).getMessage();
    assertTrue(message.contains("was run with start 'random', now 'fresh'"), message);
  }

  @Test
  void reportsRunsThatAreNotCompared() throws IOException {
    Archive.pack(runs, kept);
    Path again = folder.resolve("again");
    write(again, 3, 0);
    Path own = again.resolve("mnist-mlp");
    Files.write(
        own.resolve("random-seed-1.jsonl"),
        Files.readAllLines(own.resolve("random-seed-1.jsonl")).subList(0, 1));
    Path other = own.resolve("random-seed-2.jsonl");
    Files.writeString(
        other, Files.readString(other).replaceFirst("\"start\":\"random\"", "\"start\":\"fresh\""));
    Rerun.Summary summary = Rerun.compare(kept, again);
    assertEquals(4, summary.runs());
    assertEquals(List.of(), summary.different());
    assertEquals(
        List.of(
            "mnist-mlp/alfamix-seed-3.jsonl: no archived run to compare with",
            "mnist-mlp/bald-rate=0-e788f617221f-seed-3.jsonl: no archived run to compare with",
            "mnist-mlp/random-seed-1.jsonl: no completed round yet",
            "mnist-mlp/random-seed-2.jsonl: the archived run used start 'random', now" + " 'fresh'",
            "mnist-mlp/random-seed-3.jsonl: no archived run to compare with"),
        summary.skipped());
    String message =
        assertThrows(DataException.class, () -> Archive.pack(runs.resolve("mnist-mlp"), kept))
            .getMessage();
    assertTrue(message.contains("is the folder of a single setting"), message);
  }

  @Test
  void keepsLongerRuns() throws IOException {
    Archive.pack(runs, kept);
    Setting shorter = Settings.find("mnist-mlp").get(0).withRounds(3);
    Path few = folder.resolve("few");
    SyntheticRuns.write(
        few,
        shorter,
        List.of(Method.parse("random")),
        1,
        (method, seed, round) -> 0.5 + 0.03 * round + 0.001 * seed);
    Archive.pack(few, kept);
    assertEquals(11, run(kept, "random-seed-1").rounds().size());
    assertEquals(10, Results.read(kept).settings().get(0).rounds());
  }

  @Test
  void rejectsRunsOnOtherData() throws IOException {
    Archive.pack(runs, kept);
    for (Path file : RunFile.list(runs.resolve("mnist-mlp"))) {
      Files.writeString(file, Files.readString(file).replaceFirst("\"data\":\"0", "\"data\":\"1"));
    }
    long before = size(kept);
    String message = assertThrows(DataException.class, () -> Archive.pack(runs, kept)).getMessage();
    assertTrue(
        message.contains("was run with different data, and their results must not be mixed"),
        message);
    assertEquals(before, size(kept));
  }

  @Test
  void namesBrokenFiles() throws IOException {
    Archive.pack(runs, kept);
    Path file = kept.resolve("mnist-mlp").resolve("random-seed-1.jsonl.gz");
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
    Results results = Results.read(kept);
    assertEquals(1, results.unfinished().size());
    assertTrue(results.unfinished().get(0).contains("random-seed-1.jsonl.gz"), results.toString());
    Files.writeString(file, "no gzip");
    assertTrue(Results.read(kept).unfinished().get(0).contains("random-seed-1.jsonl.gz"));
    assertThrows(
        DataException.class, () -> Archive.pack(folder.resolve("nowhere"), kept), "no folder");
    Files.createDirectories(folder.resolve("empty"));
    assertThrows(DataException.class, () -> Archive.pack(folder.resolve("empty"), kept));
  }

  /** A packed run is replaced by its unpacked form if a round is added. */
  @Test
  void unpacksARunThatIsResumed() throws IOException {
    List<String> all = lines(run(runs, "random-seed-1"));
    Archive.pack(runs, kept);
    RunFile run = run(kept, "random-seed-1");
    Round last = run.rounds().get(10);
    run.append(
        new Round(11, last.labelled(), 0.9, 1, 1, last.query(), last.seconds(), 1, Map.of()));
    Path own = kept.resolve("mnist-mlp");
    assertTrue(Files.exists(own.resolve("random-seed-1.jsonl")));
    assertFalse(Files.exists(own.resolve("random-seed-1.jsonl.gz")));
    List<String> lines = Files.readAllLines(own.resolve("random-seed-1.jsonl"));
    assertEquals(13, lines.size());
    assertEquals(String.join("", all), String.join("\n", lines.subList(1, 12)) + "\n");
    assertEquals(12, run(kept, "random-seed-1").rounds().size());
  }

  @Test
  void comparesRepeatedRuns() {
    Archive.pack(runs, kept);
    Path again = folder.resolve("again");
    write(again, 1, 0);
    Rerun.Summary same = Rerun.compare(kept, again);
    assertEquals(new Rerun.Summary(3, 33, List.of(), List.of(), List.of()), same);

    Path other = folder.resolve("other");
    write(other, 1, 0.001);
    Rerun.Summary different = Rerun.compare(kept, other);
    assertEquals(3, different.runs());
    assertEquals(12, different.rounds(), "rounds 0 to 3 of three runs");
    assertEquals(
        "mnist-mlp, alfamix, seed 1: differs from round 4 onwards (accuracy): accuracy 63.10 %, now"
            + " 63.20 %",
        different.different().get(0));
    assertThrows(DataException.class, () -> Rerun.compare(kept, folder.resolve("nowhere")));
  }

  /** The last round of a shorter run has no picks, which is not a difference. */
  @Test
  void comparesShorterRuns() {
    Path few = folder.resolve("few");
    SyntheticRuns.write(
        few,
        Settings.find("mnist-mlp").get(0).withRounds(2),
        List.of(Method.parse("random")),
        1,
        (method, seed, round) -> 0.5 + 0.03 * round + 0.001 * seed);
    assertEquals(
        new Rerun.Summary(1, 3, List.of(), List.of(), List.of()), Rerun.compare(runs, few));
  }

  /** If the unpacked form of a run has fewer rounds than the packed one, both are rejected. */
  @Test
  void rejectsFormsOfARunThatDiffer() throws IOException {
    Archive.pack(runs, kept);
    Path packed = kept.resolve("mnist-mlp/random-seed-1.jsonl.gz");
    Path open = kept.resolve("mnist-mlp/random-seed-1.jsonl");
    List<String> lines = Files.readAllLines(runs.resolve("mnist-mlp/random-seed-1.jsonl"));
    Files.write(open, lines);
    assertEquals(11, RunFile.read(open).orElseThrow().rounds().size(), "the same in both");
    Files.write(open, lines.subList(0, 4));
    byte[] before = Files.readAllBytes(packed);
    DataException error = assertThrows(DataException.class, () -> RunFile.read(open));
    assertTrue(error.getMessage().contains("differs or has fewer rounds"), error.getMessage());
    Archive.Summary summary = Archive.pack(kept, kept);
    assertEquals(1, summary.broken().size(), summary.toString());
    assertArrayEquals(before, Files.readAllBytes(packed));
    assertEquals(1, Rerun.compare(runs, kept).broken().size());
  }

  @Test
  void rejectsRunsInTheWrongFolder() throws IOException {
    Path own = runs.resolve("mnist-mlp");
    Files.move(own, runs.resolve("letter-mlp"));
    DataException moved = assertThrows(DataException.class, () -> Archive.pack(runs, kept));
    assertTrue(moved.getMessage().contains("belongs to the setting mnist-mlp"), moved.getMessage());
    Files.move(runs.resolve("letter-mlp"), own);
    String yaml = Files.readString(own.resolve("setting.yaml"));
    Files.writeString(own.resolve("setting.yaml"), yaml.replace("budget: 100", "budget: 50"));
    DataException other = assertThrows(DataException.class, () -> Archive.pack(runs, kept));
    assertTrue(
        other.getMessage().contains("adds 100 labels in round 1, but setting.yaml specifies 50"),
        other.getMessage());
    Files.delete(own.resolve("setting.yaml"));
    for (Executable reading :
        List.<Executable>of(
            () -> Archive.pack(runs, kept),
            () -> Rerun.compare(runs, kept),
            () -> Results.read(runs))) {
      DataException without = assertThrows(DataException.class, reading);
      assertTrue(
          without.getMessage().contains("contains runs but no setting.yaml"), without.getMessage());
    }
  }
}
