package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alfamix.io.array.Npy;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares candidates and caps with golden ones, in all formats that store float32 exactly. */
class SelectGoldenTest {
  @TempDir private Path folder;

  static Stream<Arguments> poolsOfEveryFormat() {
    return Stream.of("edge", "few", "letter", "mnist")
        .flatMap(name -> Formats.POOLS.stream().map(format -> Arguments.of(name, format)));
  }

  @ParameterizedTest
  @MethodSource("poolsOfEveryFormat")
  void findsTheGoldenCandidatesInEveryPoolFormat(String name, String format) throws IOException {
    Golden golden = Golden.of(name);
    assertGolden(golden, format, "csv", "npz");
  }

  static Stream<Arguments> labelsAndHeadsOfEveryFormat() {
    return Formats.LABELS.stream()
        .flatMap(labels -> Formats.HEADS.stream().map(head -> Arguments.of(labels, head)));
  }

  @ParameterizedTest
  @MethodSource("labelsAndHeadsOfEveryFormat")
  void findsTheGoldenCandidatesInEveryLabelAndHeadFormat(String labels, String head)
      throws IOException {
    assertGolden(Golden.of("edge"), "npy", labels, head);
    assertGolden(Golden.of("letter"), "jsonl-list", labels, head);
  }

  private void assertGolden(Golden golden, String poolFormat, String labelFormat, String headFormat)
      throws IOException {
    List<String> args = new ArrayList<>(List.of("select"));
    args.addAll(List.of(Formats.pool(poolFormat, golden.pool(), folder)));
    Path labels =
        Formats.labels(
            labelFormat,
            row -> Formats.id(poolFormat, row),
            golden.pool().rows(),
            golden.labels(),
            folder);
    args.addAll(List.of("--labels", labels.toString()));
    args.addAll(List.of(Formats.head(headFormat, golden.weight(), golden.bias(), folder)));
    Path candidates = folder.resolve("candidates.csv");
    Path manifest = folder.resolve("manifest.json");
    args.addAll(List.of("--candidates", candidates.toString(), "--manifest", manifest.toString()));
    args.addAll(List.of("--budget", Integer.toString(golden.budget())));
    CommandOutcome outcome = CommandOutcome.of(args.toArray(String[]::new));
    assertEquals(0, outcome.code(), outcome.err());

    String json = Files.readString(manifest);
    assertEquals(golden.candidates(), number(json, "candidates"));
    assertEquals(golden.cap(), number(json, "cap"), 1e-9);
    assertEquals(
        Math.max(0, golden.budget() - golden.candidates()), number(json, "toppedUp"), 1e-9);
    assertCandidates(golden, poolFormat, Files.readAllLines(candidates));
    assertEquals(golden.budget() + 1, outcome.out().lines().count());
  }

  private static double number(String json, String key) {
    Matcher matcher = Pattern.compile("\"" + key + "\" : ([-0-9.E]+)").matcher(json);
    assertTrue(matcher.find(), key + " in " + json);
    return Double.parseDouble(matcher.group(1));
  }

  private static void assertCandidates(Golden golden, String format, List<String> lines) {
    assertEquals("id,flip_cap", lines.get(0));
    Map<String, Double> found = new HashMap<>();
    for (String line : lines.subList(1, lines.size())) {
      int comma = line.lastIndexOf(',');
      found.put(line.substring(0, comma), Double.parseDouble(line.substring(comma + 1)));
    }
    boolean[] mask = golden.mask();
    double[] caps = golden.flipCaps();
    for (int row = 0; row < golden.size(); row++) {
      String id = Formats.id(format, row);
      String written = id.contains("\"") ? Formats.quoted(id) : id;
      if (Math.abs(caps[row] - golden.cap()) > 1e-5) {
        assertEquals(mask[row], found.containsKey(written), "row " + row);
      }
      if (found.containsKey(written)) {
        assertEquals(caps[row], found.get(written), Math.max(1e-4 * caps[row], 2e-6));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"coreset", "cdal"})
  void deterministicMethodsReturnTheGoldenPicks(String strategy) {
    Golden golden = Golden.of("letter");
    Path expected =
        Path.of("../alfamix-core/src/test/resources/golden/letter/" + strategy + ".npy");
    int[] picks = Npy.open(expected).readInts();
    Path labels =
        Formats.labels("npy", Integer::toString, golden.pool().rows(), golden.labels(), folder);
    List<String> args = new ArrayList<>(List.of("select"));
    args.addAll(List.of(Formats.pool("npy", golden.pool(), folder)));
    args.addAll(List.of(Formats.head("npz", golden.weight(), golden.bias(), folder)));
    Path output = folder.resolve("picks.npy");
    args.addAll(List.of("--labels", labels.toString(), "--output", output.toString()));
    args.addAll(List.of("--strategy", strategy, "--budget", Integer.toString(picks.length)));
    CommandOutcome outcome = CommandOutcome.of(args.toArray(String[]::new));
    assertEquals(0, outcome.code(), outcome.err());
    org.junit.jupiter.api.Assertions.assertArrayEquals(picks, Npy.open(output).readInts());
  }
}
