package org.alfamix.lab.run;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.alfamix.datasets.Datasets;
import org.alfamix.datasets.LabelledTable;
import org.alfamix.io.DataException;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Seeds;
import org.alfamix.strategy.Strategies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabTest {
  @TempDir private Path folder;

  /** Records the calls of a listener. */
  private static final class Recorder implements LabListener {
    private Map<Job, Integer> planned;
    private final List<Job> finished = new ArrayList<>();
    private final Map<Job, Throwable> failed = new LinkedHashMap<>();
    private int rounds;

    @Override
    public void planned(Map<Job, Integer> finishedRounds) {
      planned = finishedRounds;
    }

    @Override
    public void round(Job job, Round round) {
      rounds++;
    }

    @Override
    public void finished(Job job, Round last) {
      finished.add(job);
    }

    @Override
    public void failed(Job job, Throwable why) {
      failed.put(job, why);
    }
  }

  private Setting setting(String name, String more) throws IOException {
    Path file = folder.resolve(name + ".yaml");
    Files.writeString(
        file,
        "data: digits\nnetwork: mlp\ninitial: 20\nbudget: 20\ntraining: {epochs: 30}\n" + more);
    return Settings.read(file);
  }

  private Recorder run(Path results, Setting setting, int seeds, int jobs, String... methods) {
    return run(results, setting, seeds, jobs, false, methods);
  }

  private Recorder run(
      Path results, Setting setting, int seeds, int jobs, boolean mixed, String... methods) {
    Recorder recorder = new Recorder();
    Experiment experiment =
        new Experiment(
            setting,
            Arrays.stream(methods).map(Method::parse).toList(),
            LongStream.rangeClosed(1, seeds).boxed().toList());
    try (Lab lab =
        new Lab(
            results,
            LearnerEngine.find(),
            "cpu",
            data -> Datasets.open(data.name(), Path.of("")),
            mixed)) {
      lab.run(List.of(experiment), jobs, recorder);
    }
    return recorder;
  }

  /** Returns all rounds of all runs without times, by file. */
  private static Map<String, List<String>> lines(Path results) throws IOException {
    Map<String, List<String>> lines = new LinkedHashMap<>();
    try (Stream<Path> files = Files.walk(results)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".jsonl")).sorted().toList()) {
        List<String> own = Files.readAllLines(file);
        lines.put(
            file.getFileName().toString(),
            own.subList(1, own.size()).stream()
                .map(line -> line.replaceAll("\"seconds\":\\{[^}]*}", ""))
                .toList());
      }
    }
    return lines;
  }

  private static RunFile read(Path results, String setting, String run) {
    return RunFile.read(results.resolve(setting).resolve(run + ".jsonl")).orElseThrow();
  }

  @Test
  void methodsOfASeedStartWithTheSameLabelsAndSeedsDiffer() throws IOException {
    Setting setting = setting("equal", "rounds: 2\n");
    Path results = folder.resolve("runs");
    run(results, setting, 2, 2, "random", "entropy", "alfamix");
    Round random = read(results, "equal", "random-seed-1").rounds().get(0);
    for (String method : List.of("entropy", "alfamix")) {
      Round first = read(results, "equal", method + "-seed-1").rounds().get(0);
      assertArrayEquals(random.labelled(), first.labelled());
      assertEquals(random.accuracy(), first.accuracy());
      assertEquals(random.trainingAccuracy(), first.trainingAccuracy());
    }
    Round other = read(results, "equal", "random-seed-2").rounds().get(0);
    assertNotEquals(Arrays.toString(random.labelled()), Arrays.toString(other.labelled()));
    RunFile alfamix = read(results, "equal", "alfamix-seed-1");
    assertEquals(3, alfamix.rounds().size());
    Round second = alfamix.rounds().get(1);
    int[] expected =
        IntStream.concat(
                IntStream.of(random.labelled()),
                IntStream.of(alfamix.rounds().get(0).query().orElseThrow().picks()))
            .toArray();
    assertArrayEquals(expected, second.labelled());
    assertEquals(40, Arrays.stream(second.labelled()).distinct().count());
    assertTrue(second.query().orElseThrow().candidates() > 0);
    assertTrue(second.query().orElseThrow().cap() >= 0.2);
    assertTrue(alfamix.rounds().get(2).query().isEmpty(), "the last round has no picks");
    assertEquals(
        List.of("train", "test", "embed", "select"), List.copyOf(second.seconds().keySet()));
  }

  @Test
  void resultsOfAllStrategiesDoNotDependOnJobs() throws IOException {
    Setting setting = setting("all", "rounds: 1\n");
    String[] all = Strategies.all().stream().map(entry -> entry.name()).toArray(String[]::new);
    Recorder one = run(folder.resolve("one"), setting, 1, 1, all);
    Recorder three = run(folder.resolve("three"), setting, 1, 3, all);
    assertEquals(Map.of(), one.failed);
    assertEquals(Map.of(), three.failed);
    assertEquals(all.length, one.finished.size());
    assertEquals(lines(folder.resolve("one")), lines(folder.resolve("three")));
  }

  /** A dropout rate of the network overrides the rate of BALD. */
  @Test
  void baldUsesTheDropoutOfTheNetwork() throws IOException {
    setting("dropout", "rounds: 1\n");
    Path file = folder.resolve("dropout.yaml");
    Files.writeString(
        file, Files.readString(file).replace("{epochs: 30}", "{epochs: 30, dropout: 0.3}"));
    Setting dropout = Settings.read(file);
    Recorder recorder = run(folder.resolve("runs"), dropout, 1, 1, "bald", "bald:rate=0.9");
    assertEquals(Map.of(), recorder.failed);
    List<List<String>> lines = List.copyOf(lines(folder.resolve("runs")).values());
    assertEquals(lines.get(0), lines.get(1), "the rate of BALD has no effect");
    Setting without = setting("without", "rounds: 1\n");
    run(folder.resolve("other"), without, 1, 1, "bald", "bald:rate=0.9");
    List<List<String>> others = List.copyOf(lines(folder.resolve("other")).values());
    assertNotEquals(
        others.get(0), others.get(1), "without dropout in the network it has an effect");
  }

  /** New weights depend only on seed and round, so that they are the same for all methods. */
  @Test
  void createsNewWeightsInEveryRound() throws IOException {
    Setting same = setting("same", "rounds: 2\n");
    Setting fresh = setting("fresh", "rounds: 2\nstart: fresh\n");
    run(folder.resolve("same"), same, 1, 1, "random");
    run(folder.resolve("fresh"), fresh, 1, 1, "random");
    List<Round> before = read(folder.resolve("same"), "same", "random-seed-1").rounds();
    List<Round> after = read(folder.resolve("fresh"), "fresh", "random-seed-1").rounds();
    assertEquals(before.get(0).accuracy(), after.get(0).accuracy());
    for (int r = 1; r <= 2; r++) {
      assertArrayEquals(before.get(r).labelled(), after.get(r).labelled());
      assertNotEquals(before.get(r).accuracy(), after.get(r).accuracy());
    }
    // The same labels in round 1 of another run give the same result, as the weights are equal.
    Setting twice = setting("twice", "rounds: 1\nstart: fresh\n");
    run(folder.resolve("twice"), twice, 1, 1, "random");
    assertEquals(
        after.get(1).accuracy(),
        read(folder.resolve("twice"), "twice", "random-seed-1").rounds().get(1).accuracy());
  }

  /** A run that is packed and then resumed has the same result. */
  @Test
  void resumesPackedRuns() throws IOException {
    Setting setting = setting("packed", "rounds: 3\n");
    run(folder.resolve("straight"), setting, 1, 1, "random", "margin");
    Path results = folder.resolve("runs");
    run(results, setting.withRounds(2), 1, 1, "random", "margin");
    assertEquals(2, Archive.pack(results, results).packed());
    assertEquals(0, run(results, setting.withRounds(2), 1, 1, "random", "margin").rounds);
    assertEquals(Map.of(), lines(results), "still packed");
    Recorder recorder = run(results, setting, 1, 1, "random", "margin");
    assertEquals(Map.of(), recorder.failed);
    assertEquals(4, recorder.rounds);
    assertEquals(lines(folder.resolve("straight")), lines(results));
  }

  /** The picks of random sampling depend only on seed and round. */
  @Test
  void randomPicksDependOnlyOnSeedAndRound() throws IOException {
    Setting setting = setting("sampling", "rounds: 2\n");
    Path results = folder.resolve("runs");
    run(results, setting, 2, 1, "random");
    int pool = Datasets.open("digits", Path.of("")).pool().size();
    for (long seed = 1; seed <= 2; seed++) {
      for (Round round : read(results, "sampling", "random-seed-" + seed).rounds().subList(0, 2)) {
        Set<Integer> labelled = Arrays.stream(round.labelled()).boxed().collect(Collectors.toSet());
        int[] others = IntStream.range(0, pool).filter(i -> !labelled.contains(i)).toArray();
        int[] sampled =
            RandomIndices.distinct(others.length, 20, Seeds.at(seed, 2, round.number()));
        assertArrayEquals(
            Arrays.stream(sampled).map(at -> others[at]).toArray(),
            round.query().orElseThrow().picks());
      }
    }
  }

  /** A run whose file is truncated anywhere has the same result after it resumes. */
  @Test
  void resumesAfterTruncation() throws IOException {
    for (String start : List.of("random", "fresh", "continue")) {
      Setting setting = setting("torn-" + start, "rounds: 3\nstart: " + start + "\n");
      Path results = folder.resolve("runs-" + start);
      run(results, setting, 1, 1, "badge");
      Map<String, List<String>> whole = lines(results);
      Path file = results.resolve(setting.name()).resolve("badge-seed-1.jsonl");
      String text = Files.readString(file);
      int[] ends = IntStream.range(0, text.length()).filter(i -> text.charAt(i) == '\n').toArray();
      for (int cut :
          new int[] {
            0,
            1,
            ends[0],
            ends[0] + 1,
            ends[1],
            ends[1] + 1,
            ends[2] + 2,
            ends[3] - 5,
            ends[4] - 1,
            ends[4]
          }) {
        Files.writeString(file, text.substring(0, cut));
        Recorder recorder = run(results, setting, 1, 1, "badge");
        assertEquals(Map.of(), recorder.failed, "truncated after " + cut);
        assertEquals(whole, lines(results), "truncated after " + cut);
      }
    }
  }

  @Test
  void reportsABrokenLineWithFileAndLine() throws IOException {
    Setting setting = setting("broken", "rounds: 1\n");
    Path results = folder.resolve("runs");
    run(results, setting, 1, 1, "random");
    Path file = results.resolve("broken").resolve("random-seed-1.jsonl");
    List<String> lines = new ArrayList<>(Files.readAllLines(file));
    lines.set(1, lines.get(1).substring(0, 40));
    Files.writeString(file, String.join("\n", lines) + "\n");
    DataException error = assertThrows(DataException.class, () -> RunFile.read(file));
    assertTrue(error.getMessage().startsWith(file + ", line 2"), error.getMessage());
    Recorder recorder = run(results, setting, 1, 1, "random", "margin");
    assertEquals(1, recorder.failed.size(), "only that run fails");
    assertEquals("margin", recorder.finished.get(0).method().label());
  }

  @Test
  void skipsCompletedRunsAndExtendsThem() throws IOException {
    Setting setting = setting("longer", "rounds: 3\n");
    Path results = folder.resolve("runs");
    Recorder first = run(results, setting.withRounds(1), 1, 1, "margin");
    assertEquals(2, first.rounds);
    Recorder again = run(results, setting.withRounds(1), 1, 1, "margin");
    assertEquals(0, again.rounds);
    assertEquals(List.of(2), List.copyOf(again.planned.values()));
    Recorder longer = run(results, setting, 1, 1, "margin");
    assertEquals(List.of(1), List.copyOf(longer.planned.values()));
    assertEquals(
        3, longer.rounds, "the last round of the shorter run had no picks and is repeated");
    Path straight = folder.resolve("straight");
    run(straight, setting, 1, 1, "margin");
    Map<String, List<String>> joined = lines(results);
    assertEquals(lines(straight), joined);
    run(results, setting.withRounds(2), 1, 1, "margin");
    Path kept = results.resolve("longer").resolve("setting.yaml");
    assertEquals(
        3, Settings.readStored("longer", kept).schedule().rounds(), "the longer one is kept");
  }

  @Test
  void refusesToResumeAChangedRun() throws IOException {
    Path results = folder.resolve("runs");
    run(results, setting("same", "rounds: 1\n"), 1, 1, "random");
    Recorder other =
        run(results, setting("same", "rounds: 2\nstandardize: true\n"), 1, 1, "random");
    assertEquals(1, other.failed.size());
    String message = other.failed.values().iterator().next().getMessage();
    assertTrue(message.contains("was started with standardize 'false', now 'true'"), message);
    String kept = Files.readString(results.resolve("same").resolve("setting.yaml"));
    assertFalse(kept.contains("standardize"), "the setting of the runs is kept: " + kept);
    Path file = folder.resolve("same.yaml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("budget: 20", "budget: 10")
            .replace("standardize: true", ""));
    Recorder budget = run(results, Settings.read(file), 1, 1, "random");
    assertTrue(
        budget
            .failed
            .values()
            .iterator()
            .next()
            .getMessage()
            .contains("was started with a budget of 20 in round 0, now 10"),
        budget.failed.toString());
  }

  @Test
  void refusesToResumeOnAnotherMachineUnlessMixed() throws IOException {
    Setting setting = setting("moved", "rounds: 1\n");
    Path results = folder.resolve("runs");
    run(results, setting, 1, 1, "random");
    Path file = results.resolve("moved").resolve("random-seed-1.jsonl");
    List<String> lines = Files.readAllLines(file);
    String header = lines.get(0).replaceAll("\"java\":\"[^\"]*\"", "\"java\":\"99 (Nobody)\"");
    Files.writeString(file, header + "\n" + lines.get(1) + "\n");
    String message =
        run(results, setting, 1, 1, "random").failed.values().iterator().next().getMessage();
    assertTrue(message.contains("was started with java '99 (Nobody)', now"), message);
    assertTrue(message.contains("continue anyway"), message);
    Recorder mixed = run(results, setting, 1, 1, true, "random");
    assertEquals(Map.of(), mixed.failed);
    assertEquals(1, mixed.rounds);
    List<Round> rounds = RunFile.read(file).orElseThrow().rounds();
    assertEquals(Map.of(), rounds.get(0).madeBy());
    assertEquals(Set.of("java"), rounds.get(1).madeBy().keySet(), "the change is recorded");
  }

  @Test
  void refusesOtherDataEvenIfMixed() throws IOException {
    Path data = folder.resolve("own.csv");
    StringBuilder rows = new StringBuilder("a,b,label\n");
    for (int i = 0; i < 100; i++) {
      rows.append(i % 7).append(',').append(i % 5).append(',').append(i % 2).append('\n');
    }
    Files.writeString(data, rows);
    Path file = folder.resolve("own.yaml");
    Files.writeString(
        file,
        "data: own.csv\nlabel-column: label\nnetwork: mlp\ninitial: 10\nbudget: 5\nrounds: 3\n"
            + "training: {epochs: 3}\n");
    Setting setting = Settings.read(file);
    Path results = folder.resolve("runs");
    assertEquals(Map.of(), runOnTable(results, setting.withRounds(1)).failed);
    Files.writeString(data, rows.toString().replace("3,4,1", "9,9,1"));
    String message = runOnTable(results, setting).failed.values().iterator().next().getMessage();
    assertTrue(message.contains("was started with different data"), message);
    String kept = Files.readString(results.resolve("own").resolve("setting.yaml"));
    assertFalse(kept.contains("rounds: 3"), "the stored setting is kept: " + kept);
    // Completed runs are not repeated, and no new runs are added beside them.
    Recorder beside = runOnTable(results, setting.withRounds(1), "random", "margin");
    assertEquals(2, beside.failed.size(), beside.failed.toString());
    assertTrue(
        beside.failed.values().stream()
            .allMatch(why -> why.getMessage().contains("different data")),
        beside.failed.toString());
    assertFalse(Files.exists(results.resolve("own").resolve("margin-seed-1.jsonl")));
  }

  private Recorder runOnTable(Path results, Setting setting, String... methods) {
    Recorder recorder = new Recorder();
    List<Method> requested =
        Arrays.stream(methods.length == 0 ? new String[] {"random"} : methods)
            .map(Method::parse)
            .toList();
    try (Lab lab =
        new Lab(
            results,
            LearnerEngine.find(),
            "cpu",
            data ->
                LabelledTable.read(
                    Path.of(data.name()), new LabelledTable.Columns("label", null, List.of())),
            true)) {
      lab.run(List.of(new Experiment(setting, requested, List.of(1L))), 1, recorder);
    }
    return recorder;
  }

  @Test
  void reportsInvalidValuesWithFileAndLine() throws IOException {
    Setting setting = setting("values", "rounds: 1\n");
    Path results = folder.resolve("runs");
    run(results, setting, 1, 1, "random");
    Path file = results.resolve("values").resolve("random-seed-1.jsonl");
    String text = Files.readString(file);
    for (String[] change :
        new String[][] {
          {"\"accuracy\":[0-9.]+", "\"accuracy\":1e999"},
          {"\"accuracy\":[0-9.]+", "\"accuracy\":17"},
          {"\"labels\":20", "\"labels\":21"},
          {"\"picks\":\\[", "\"picks\":[-4,"},
          {"\"select\":[^,]+,", ""},
          {"\"labelled\":\\[[^]]*]", "\"labelled\":[1,2,3]"},
          {"\"picks\":\\[\\d+,(\\d+)", "\"picks\":[$1,$1"},
          {"\"confidence\":[^,]+", "\"confidence\":-5.5"},
          {"\"train\":[^,]+", "\"train\":1e308"}
        }) {
      Files.writeString(file, text.replaceFirst(change[0], change[1]));
      DataException error = assertThrows(DataException.class, () -> RunFile.read(file));
      assertTrue(error.getMessage().startsWith(file + ", line 2"), error.getMessage());
    }
    String[] lines = text.split("\n");
    String other = lines[2].replaceFirst("\"labelled\":\\[\\d+", "\"labelled\":[1617");
    Files.writeString(file, String.join("\n", lines[0], lines[1], other) + "\n");
    DataException error = assertThrows(DataException.class, () -> RunFile.read(file));
    assertTrue(error.getMessage().contains("line 3: labelled items are not"), error.getMessage());
    Files.writeString(file, text + "\n\n");
    assertEquals(2, RunFile.read(file).orElseThrow().rounds().size(), "blank lines are ignored");
    Files.writeString(file, "\n");
    assertTrue(RunFile.read(file).isEmpty());
  }

  @Test
  void continuesAfterAFailedRun() throws IOException {
    Setting setting = setting("failing", "rounds: 1\n");
    Path results = folder.resolve("runs");
    Path good = folder.resolve("good");
    run(good, setting, 1, 1, "random", "entropy");
    Files.createDirectories(results.resolve("failing"));
    // A header of a run that cannot be resumed.
    String other =
        Files.readString(good.resolve("failing").resolve("random-seed-1.jsonl"))
            .lines()
            .findFirst()
            .orElseThrow()
            .replace("\"network\":\"mlp\"", "\"network\":\"lenet5\"");
    Files.writeString(results.resolve("failing").resolve("random-seed-1.jsonl"), other + "\n");
    Recorder recorder = run(results, setting, 1, 1, "random", "entropy");
    assertEquals(1, recorder.failed.size());
    assertEquals(1, recorder.finished.size());
    assertEquals("entropy", recorder.finished.get(0).method().label());
  }

  @Test
  void rejectsAFolderThatAnotherLabUses() {
    try (Lab lab = new Lab(folder, LearnerEngine.find(), "cpu", data -> null, false)) {
      DataException error =
          assertThrows(
              DataException.class,
              () -> new Lab(folder, LearnerEngine.find(), "cpu", data -> null, false));
      assertTrue(error.getMessage().contains("another process"), error.getMessage());
      assertEquals("cpu", lab.device());
    }
  }

  @Test
  void rejectsAPoolThatIsTooSmall() throws IOException {
    Setting setting = setting("large", "rounds: 90\n");
    DataException error =
        assertThrows(
            DataException.class, () -> run(folder.resolve("runs"), setting, 1, 1, "random"));
    assertTrue(
        error.getMessage().contains("1618 items with a known class, but the schedule needs 1820"),
        error.getMessage());
  }

  @Test
  void recordsTheProvenanceOfARun() throws IOException {
    Path results = folder.resolve("runs");
    run(results, setting("made", "rounds: 1\nclasses: ['1', '7']\npool: 200\n"), 1, 1, "random");
    RunHeader header = read(results, "made", "random-seed-1").header();
    Map<String, String> facts = header.provenance().facts();
    assertEquals(
        List.of(
            "version",
            "commit",
            "java",
            "system",
            "processor",
            "kernels",
            "engine",
            "device",
            "data"),
        List.copyOf(facts.keySet()));
    assertTrue(facts.get("engine").startsWith("libtorch 2."), facts.toString());
    assertTrue(facts.get("data").matches("[0-9a-f]{64}"), facts.toString());
    assertTrue(facts.get("commit").matches("unknown|[0-9a-f]{40}(-dirty)?"), facts.toString());
    assertEquals("cpu", facts.get("device"));
    assertEquals("1, 7", header.definingValues().get("classes"));
    assertEquals("200", header.definingValues().get("pool"));
  }

  @Test
  void latentSpaceContainsAllPicks() throws IOException {
    Setting setting = setting("latent", "rounds: 1\nlatent: 100\n");
    Path results = folder.resolve("runs");
    run(results, setting, 1, 1, "random", "alfamix");
    Path file = results.resolve("latent").resolve("latent-seed-1.json");
    LatentSpace space = LatentSpace.read(file).orElseThrow();
    assertEquals(100, space.items().length);
    assertEquals(10, space.classNames().size());
    Round first = read(results, "latent", "alfamix-seed-1").rounds().get(0);
    assertTrue(space.covers(List.of(first), 100));
    assertTrue(first.query().orElseThrow().candidateItems().length > 0);
    Set<Integer> chosen =
        Stream.of("random", "alfamix")
            .map(method -> read(results, "latent", method + "-seed-1").rounds().get(1).labelled())
            .flatMap(items -> Arrays.stream(items).boxed())
            .collect(Collectors.toSet());
    double others =
        Arrays.stream(space.items()).filter(i -> !chosen.contains(i)).average().orElseThrow();
    assertTrue(
        others > 500 && others < 1100, "the others are sampled from the whole pool: " + others);
    long before = Files.getLastModifiedTime(file).toMillis();
    run(results, setting, 1, 1, "random", "alfamix");
    assertEquals(
        before, Files.getLastModifiedTime(file).toMillis(), "the map is not computed again");
    Files.writeString(file, "{");
    run(results, setting, 1, 1, "entropy");
    Round entropy = read(results, "latent", "entropy-seed-1").rounds().get(0);
    assertTrue(LatentSpace.read(file).orElseThrow().covers(List.of(first, entropy), 100));
  }

  @Test
  void computesQueryStatistics() {
    FloatMatrix probabilities =
        FloatMatrix.of(
            new float[][] {
              {0.5f, 0.3f, 0.2f}, {0.3f, 0.6f, 0.1f}, {0.1f, 0.1f, 0.8f}, {0.25f, 0.5f, 0.25f}
            });
    QueryStatistics statistics = QueryStatistics.of(probabilities, new int[] {0, 0, 1, 1});
    assertEquals((0.5 + 0.6 + 0.8 + 0.5) / 4, statistics.confidence(), 1e-6);
    assertEquals((0.2 + 0.3 + 0.7 + 0.25) / 4, statistics.margin(), 1e-6);
    assertEquals(Math.log(2), statistics.labelEntropy(), 1e-12);
    // The pairs {0, 1}, {0, 1}, {0, 2} and {0, 1}.
    double expected = -0.75 * Math.log(0.75) - 0.25 * Math.log(0.25);
    assertEquals(expected, statistics.pairEntropy(), 1e-12);
  }
}
