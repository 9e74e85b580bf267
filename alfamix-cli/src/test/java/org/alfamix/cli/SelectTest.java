package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.strategy.Strategies;
import org.alfamix.strategy.StrategyEntry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code select} with valid input. */
class SelectTest {
  @TempDir private Path folder;
  private SmallPool query;

  @BeforeEach
  void createValidQuery() {
    query = new SmallPool(folder);
  }

  private String picks() {
    CommandOutcome outcome = query.run();
    assertEquals(0, outcome.code(), outcome.err());
    return outcome.out();
  }

  private static List<String> ids(String csv) {
    return csv.lines().skip(1).map(line -> line.substring(0, line.indexOf(','))).toList();
  }

  private static List<String> predicted(String csv) {
    return csv.lines().skip(1).map(line -> line.split(",")[4]).toList();
  }

  @Test
  void printsRankScoreClusterPredictionAndReason() {
    List<String> lines = picks().lines().toList();
    assertEquals("id,rank,score,cluster,predicted,reason", lines.get(0));
    Pattern row =
        Pattern.compile(
            "(\\d+),(\\d),([0-9.E-]+),\\d,([012]),\"predicted ([012]), flips to ([012]) at a"
                + " mixing ratio of [0-9.]+ % towards class [012]\"");
    double last = 0;
    for (int rank = 1; rank <= 5; rank++) {
      Matcher matcher = row.matcher(lines.get(rank));
      assertTrue(matcher.matches(), lines.get(rank));
      assertEquals(rank, Integer.parseInt(matcher.group(2)));
      assertEquals(matcher.group(4), matcher.group(5));
      assertNotEquals(matcher.group(5), matcher.group(6));
      assertTrue(Double.parseDouble(matcher.group(3)) >= last, "scores are ascending");
      last = Double.parseDouble(matcher.group(3));
      assertTrue(Integer.parseInt(matcher.group(1)) > 5, "rows 0 to 5 are labelled");
    }
  }

  static List<String> strategies() {
    return Strategies.all().stream().map(StrategyEntry::name).toList();
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void picksDoNotDependOnTheNumberOfThreads(String strategy) {
    query.set("--strategy", strategy).set("--threads", 1);
    String one = picks();
    assertEquals(5, ids(one).stream().distinct().count());
    assertEquals(one, query.set("--threads", 3).run().out());
    assertEquals(one, query.set("--threads", null).run().out());
  }

  @Test
  void sameSeedGivesTheSamePicks() {
    query.set("--strategy", "random");
    String first = picks();
    assertEquals(first, query.set("--seed", 1).run().out());
    assertNotEquals(first, query.set("--seed", 2).run().out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"csv", "jsonl", "parquet", "npy", "json"})
  void writesTheSamePicksInEveryFormat(String ending) throws Exception {
    List<String> expected = ids(picks());
    Path output = query.file("picks." + ending);
    CommandOutcome outcome = query.set("--output", output).run();
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals("", outcome.out());
    assertTrue(outcome.err().startsWith("alfamix: selected 5 of "), outcome.err());
    assertEquals(expected, idsOf(output, ending));
    assertEquals("", query.set("--quiet", "").run().err());
  }

  private static List<String> idsOf(Path output, String ending) throws Exception {
    switch (ending) {
      case "csv":
        return ids(Files.readString(output));
      case "jsonl":
        return matches("\"id\":\"(\\d+)\"", Files.readString(output));
      case "json":
        return matches("\"alfamix_id\" : \"(\\d+)\"", Files.readString(output));
      case "npy":
        return Arrays.stream(Npy.open(output).readInts()).mapToObj(Integer::toString).toList();
      default:
        try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
            ResultSet rows =
                connection
                    .prepareStatement(
                        "SELECT id, cluster, predicted, reason, score FROM '"
                            + output
                            + "' ORDER BY rank")
                    .executeQuery()) {
          List<String> ids = new ArrayList<>();
          while (rows.next()) {
            ids.add(rows.getString(1));
            assertTrue(rows.getLong(2) >= 0 && !rows.wasNull());
            assertTrue(rows.getString(4).startsWith("predicted " + rows.getString(3)));
          }
          return ids;
        }
    }
  }

  private static List<String> matches(String pattern, String text) {
    return Pattern.compile(pattern).matcher(text).results().map(m -> m.group(1)).toList();
  }

  @Test
  void leavesValuesEmptyThatAMethodDoesNotHave() {
    query.set("--labels", null).set("--head", null).set("--strategy", "coreset");
    List<String> lines = picks().lines().toList();
    assertTrue(lines.get(1).matches("0,1,inf,,,first pick: .*"), lines.get(1));
    String json = query.set("--format", "jsonl").run().out();
    assertTrue(json.contains("\"score\":null,\"cluster\":null,\"predicted\":null"), json);
    String tasks = query.set("--format", "label-studio").run().out();
    assertTrue(tasks.contains("\"result\" : [ ]"), tasks);
  }

  @Test
  void writesTasksForLabelStudioAndReadsTheirExport() throws IOException {
    query.set("--format", "label-studio").set("--task-from", "digit").set("--task-to", "img");
    query.set("--task-data", "picture=https://host/{id}.png");
    String tasks = picks();
    List<String> scores = matches("\"score\" : ([0-9.]+)", tasks);
    assertEquals(List.of("0.2", "0.4", "0.6", "0.8", "1.0"), scores);
    List<String> ids = matches("\"alfamix_id\" : \"(\\d+)\"", tasks);
    assertTrue(tasks.contains("\"picture\" : \"https://host/" + ids.get(0) + ".png\""));
    assertEquals(5, matches("(\"from_name\" : \"digit\")", tasks).size());
    assertEquals(5, matches("(\"to_name\" : \"img\")", tasks).size());
    // An export of Label Studio with two annotators: one task is cancelled, one is not annotated,
    // and the others have class 1.
    StringBuilder export = new StringBuilder("[");
    for (int i = 0; i < 4; i++) {
      String annotation =
          "{\"was_cancelled\": %b, \"result\": [{\"type\": \"choices\", \"from_name\": \"digit\","
              + " \"value\": {\"choices\": [\"1\"]}}, {\"type\": \"textarea\"}]}";
      export.append(i == 0 ? "" : ",");
      export.append("{\"id\": 1, \"data\": {\"alfamix_id\": \"" + ids.get(i) + "\"},");
      export.append("\"annotations\": [" + annotation.formatted(i == 3) + ",");
      export.append(annotation.formatted(i == 3) + "]}");
    }
    export.append(",{\"id\": 2, \"data\": {\"alfamix_id\": \"" + ids.get(4) + "\"}}]");
    query.set("--labels", Formats.text(query.file("export.json"), export.toString()));
    query.set("--strategy", "entropy").set("--format", null).set("--budget", 37);
    List<String> rest = ids(picks());
    assertFalse(
        rest.contains(ids.get(0)) || rest.contains(ids.get(1)) || rest.contains(ids.get(2)));
    assertTrue(rest.contains(ids.get(3)) && rest.contains(ids.get(4)));
  }

  @Test
  void namesClassesInSortedOrGivenOrder() {
    Formats.text(
        query.file("labels.csv"), "id,label\n0,zebra\n1,ant\n2,Cow\n3,zebra\n4,ant\n5,Cow\n");
    query.set("--strategy", "margin").set("--budget", 34);
    List<String> sorted = predicted(picks());
    query.set("--classes", "zebra,ant,Cow");
    List<String> given = predicted(picks());
    Path file = Formats.text(query.file("names.txt"), "zebra\nant\nCow\n");
    assertEquals(given, predicted(query.set("--classes", file).run().out()));
    // Class 0 of the head is Cow in sorted order (capitals come first) and zebra in the given
    // order.
    Map<String, String> names = Map.of("Cow", "zebra", "ant", "ant", "zebra", "Cow");
    assertEquals(given, sorted.stream().map(names::get).toList());
  }

  @Test
  void fitsAndReportsALogisticHeadIfNoneIsGiven() {
    CommandOutcome outcome = query.set("--head", null).run();
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(
        outcome
            .err()
            .startsWith(
                "alfamix: no head was given; fitted a logistic head to 6 labelled items of 3"
                    + " classes ("),
        outcome.err());
    assertFalse(outcome.err().contains("not converged"), outcome.err());
    assertEquals(outcome.out(), query.run().out());
    assertEquals("", query.set("--quiet", "").run().err());
    CommandOutcome random = query.set("--quiet", null).set("--strategy", "random").run();
    assertEquals("", random.err(), "random requires no head, so none is fitted");
  }

  @Test
  void acceptsAndReportsAHeadWithoutABias() {
    FloatMatrix weight = FloatMatrix.zeros(3, SmallPool.FEATURES);
    weight.set(0, 0, 1);
    Formats.bundle(query.file("head.npz"), "classifier.weight", weight, null, null);
    CommandOutcome outcome = query.run();
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(outcome.err().contains("has no 'classifier.bias'; the bias is 0."));
  }

  @Test
  void usesProbabilitiesInPlaceOfAHead() {
    FloatMatrix rows = FloatMatrix.zeros(SmallPool.SIZE, 3);
    for (int i = 0; i < SmallPool.SIZE; i++) {
      float top = i == 30 || i == 2 ? 0.34f : 0.98f;
      rows.set(i, i % 3, top);
      rows.set(i, (i + 1) % 3, (1 - top) / 2);
      rows.set(i, (i + 2) % 3, (1 - top) / 2);
    }
    query.set("--head", null).set("--labels", null).set("--budget", 1).set("--strategy", "entropy");
    Formats.write(query.file("p.npy"), out -> Npy.write(out, rows));
    query.set("--probabilities", query.file("p.npy"));
    assertEquals(List.of("2"), ids(picks()));
    query.set("--labels", query.file("labels.csv"));
    CommandOutcome outcome = query.run();
    assertEquals(List.of("30"), ids(outcome.out()), "row 2 is labelled");
    assertEquals("", outcome.err(), "no head is fitted if none is needed");
  }

  @Test
  void baldUsesDropoutProbabilities() {
    int samples = 2;
    float[] values = new float[samples * SmallPool.SIZE * 3];
    for (int t = 0; t < samples; t++) {
      for (int i = 0; i < SmallPool.SIZE; i++) {
        // The two samples differ only in item 21.
        int k = i == 21 ? t : 2;
        values[(t * SmallPool.SIZE + i) * 3 + k] = 1;
      }
    }
    Formats.write(
        query.file("d.npy"),
        out -> {
          Npy.writeHeader(out, "<f4", samples + ", " + SmallPool.SIZE + ", 3");
          var bytes =
              java.nio.ByteBuffer.allocate(4 * values.length)
                  .order(java.nio.ByteOrder.LITTLE_ENDIAN);
          bytes.asFloatBuffer().put(values);
          out.write(bytes.array());
        });
    query.set("--head", null).set("--budget", 1).set("--strategy", "bald");
    query.set("--dropout-probabilities", query.file("d.npy"));
    assertEquals(List.of("21"), ids(picks()));
  }

  @Test
  void neverPicksExcludedItems() {
    List<String> first = ids(picks());
    String withByteOrderMark = "\uFEFF" + String.join("\r\n", first) + "\n";
    query.set("--exclude", Formats.text(query.file("no.txt"), withByteOrderMark));
    List<String> second = ids(picks());
    assertTrue(second.stream().noneMatch(first::contains));
    long[] rows = first.stream().mapToLong(Long::parseLong).toArray();
    Formats.write(query.file("no.npy"), out -> Npy.write(out, rows));
    assertEquals(second, ids(query.set("--exclude", query.file("no.npy")).run().out()));
    Formats.text(
        query.file("no.csv"), "name,id\n" + "x," + String.join("\nx,", first) + "\nx,77\n");
    CommandOutcome outcome = query.set("--exclude", query.file("no.csv")).run();
    assertEquals(second, ids(outcome.out()));
    assertTrue(outcome.err().contains("1 ids of "), outcome.err());
  }

  @ParameterizedTest
  @ValueSource(strings = {"alfamix", "entropy", "badge"})
  void limitsPicksPerClass(String strategy) {
    query.set("--strategy", strategy).set("--budget", 6).set("--per-class-cap", 2);
    Map<String, Long> counts =
        predicted(picks()).stream()
            .collect(Collectors.groupingBy(name -> name, Collectors.counting()));
    assertEquals(Map.of("0", 2L, "1", 2L, "2", 2L), counts);
    CommandOutcome few = query.set("--budget", 9).run();
    assertEquals(0, few.code(), few.err());
    assertEquals(7, few.out().lines().count());
    assertTrue(few.err().contains("selected only 6 items: the classes of all others"), few.err());
    query.set("--labels", null).set("--head", null).set("--strategy", "coreset");
    CommandOutcome rejected = query.run();
    assertEquals(2, rejected.code());
    assertTrue(rejected.err().contains("--per-class-cap needs predictions"), rejected.err());
  }

  @Test
  void normalizesLikeTheUserWould() {
    String plain = picks();
    FloatMatrix normal = query.pool.copy();
    org.alfamix.math.Kernels.normalizeRows(normal);
    query.set("--normalize", "");
    String normalized = picks();
    Formats.write(query.file("pool.npy"), out -> Npy.write(out, normal));
    assertEquals(normalized, query.set("--normalize", null).run().out());
    assertNotEquals(plain, normalized);
  }

  @Test
  void dryRunValidatesAndWritesNothing() {
    query.set("--dry-run", "").set("--output", query.file("picks.csv"));
    query.set("--manifest", query.file("m.json"));
    Map<String, String> before = query.contents();
    String text = picks();
    assertTrue(text.contains("pool        40 items with 4 features, ids are row numbers"), text);
    assertTrue(text.contains("unlabelled  34"), text);
    assertEquals(before, query.contents());
    query.pool.set(30, 1, Float.NaN);
    Formats.write(query.file("pool.npy"), out -> Npy.write(out, query.pool));
    assertEquals(3, query.run().code());
  }

  @Test
  void manifestDescribesInputsOptionsAndTimes() throws Exception {
    Path manifest = query.file("m.json");
    query.set("--manifest", manifest).set("--seed", 42).set("--option", "restarts=3");
    query.set("--threads", 2);
    picks();
    String json = Files.readString(manifest);
    String digest =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256")
                    .digest(Files.readAllBytes(query.file("pool.npy"))));
    for (String part :
        new String[] {
          "\"sha256\" : \"" + digest + "\"",
          "\"role\" : \"labels\"",
          "\"role\" : \"head\"",
          "\"pool\" : 40",
          "\"labelled\" : 6",
          "\"unlabelled\" : 34",
          "\"features\" : 4",
          "\"classes\" : 3",
          "\"strategy\" : \"alfamix\"",
          "\"capStep\" : 0.2",
          "\"version\" : ",
          "\"restarts\" : 3",
          "\"seed\" : 42",
          "\"threads\" : 2",
          "\"candidates\" : ",
          "\"cap\" : 0.",
          "\"toppedUp\" : ",
          "\"read\" : ",
          "\"select\" : ",
          "\"phases\" : ",
          "\"write\" : ",
          "\"total\" : ",
          "\"kernels\" : ",
          "\"java\" : \"" + System.getProperty("java.version"),
          "\"peakHeapBytes\" : "
        }) {
      assertTrue(json.contains(part), part + " in " + json);
    }
  }

  @Test
  void manifestDescribesMixing() {
    Path manifest = query.file("m.json");
    query.set("--manifest", manifest);
    for (String alpha : new String[] {"closed-form", "random", "projected-gradient"}) {
      query.set("--option", "alpha=" + alpha);
      picks();
      String json = read(manifest);
      assertTrue(json.contains("\"alpha\" : \"" + alpha + "\""), json);
      assertTrue(json.contains("\"anchors\" : \"class-means\""), json);
      assertTrue(
          json.matches(
              "(?s).*\"mixing\" : \\{\\s+\"caps\" : \\[\\s+\\{\\s+\"cap\" : 0.2,\\s+\"flipped\" :"
                  + " \\d+,\\s+\"flippedByAnchor\" : \\[\\d+, \\d+, \\d+\\].*"),
          json);
      assertTrue(json.matches("(?s).*\"alphaMean\" : -?[\\d.E-]+,.*"), json);
    }
    query.set("--option", "anchors=none");
    picks();
    assertTrue(read(manifest).contains("\"alphaMean\" : null"));
    query.set("--strategy", "margin").set("--option", null);
    picks();
    assertFalse(read(manifest).contains("mixing"));
  }

  @Test
  void acceptsAllMethodsAndVariants() {
    for (String method : List.of("gcnal", "dfal")) {
      assertEquals(5, ids(query.set("--strategy", method).run().out()).size(), method);
    }
    query.set("--strategy", "gcnal").set("--option", "picks=uncertain");
    assertTrue(picks().contains("close to the margin of 10 %"));
    query.set("--strategy", "dfal").set("--option", null).set("--manifest", query.file("m.json"));
    assertTrue(picks().contains("when its embedding changes by"));
    assertTrue(read(query.file("m.json")).contains("the snapshot has no network with inputs"));
    query.set("--strategy", null).set("--option", "anchors=none").set("--labels", null);
    assertTrue(picks().matches("(?s).*after a step of 0\\.\\d+ along its gradient.*"));
    query.set("--option", "anchors=none-relative");
    assertTrue(picks().contains("of its length along its gradient"));
    query.set("--option", "picks=smallest-norm").set("--labels", query.file("labels.csv"));
    assertEquals(5, ids(picks()).size());
  }

  @Test
  void explainsPickedAndOtherItems() {
    String first = ids(picks()).get(0);
    query.set("--explain", first);
    String picked = picks();
    assertTrue(picked.startsWith("item " + first + "\n  picked, rank 1 of 5: predicted "), picked);
    assertTrue(picked.contains("mixed towards  labels  distance  flips at cap"), picked);
    assertTrue(picked.contains("nearest labelled  label  distance"), picked);
    assertFalse(picked.contains("id,rank,score"), "picks are written only to --output");
    query.set("--explain", "2").set("--output", query.file("picks.csv"));
    assertTrue(picks().startsWith("item 2\n  labelled 2\n  predicted "));
    assertEquals(first, ids(read(query.file("picks.csv"))).get(0));
    Formats.text(query.file("no.txt"), "9\n");
    query.set("--exclude", query.file("no.txt")).set("--explain", "9");
    assertTrue(picks().startsWith("item 9\n  excluded\n"));
    query.set("--exclude", null).set("--output", null).set("--budget", 1);
    query.set("--option", "capStep=1e-3").set("--candidates", query.file("c.csv"));
    String least = ids(read(picksTo("c.csv"))).get(0);
    String other = least.equals("39") ? "38" : "39";
    String no = query.set("--explain", other).run().out();
    assertTrue(
        no.contains("not a candidate: it flips at a cap of") || no.contains("a candidate"), no);
  }

  private Path picksTo(String name) {
    picks();
    return query.file(name);
  }

  @Test
  void explainsACandidateByThePickOfItsCluster() {
    query.set("--candidates", query.file("c.csv")).set("--option", "capStep=1");
    List<String> picked = ids(picks());
    List<String> others =
        ids(read(query.file("c.csv"))).stream().filter(id -> !picked.contains(id)).toList();
    assertFalse(others.isEmpty());
    String text = query.set("--explain", others.get(0)).run().out();
    assertTrue(
        text.matches(
            "(?s)item \\d+\n"
                + "  a candidate that flips at a cap of [\\d.]+, but \\d+ represents its cluster"
                + " \\d\n"
                + ".*"),
        text);
  }

  @Test
  void explainsWhyACandidateWasNotPicked() {
    query.set("--candidates", query.file("c.csv"));
    for (String[] rule :
        new String[][] {
          {"smallest-norm", "the norm of its ratios is [\\d.]+; the last pick has [\\d.]+"},
          {"largest-divergence", "the divergence of its mixes is [\\d.e-]+; the last pick has.*"},
          {"uniform", "it was not sampled"}
        }) {
      query.set("--option", "picks=" + rule[0]).set("--explain", null).set("--budget", 1);
      String picked = ids(picks()).get(0);
      String other =
          ids(read(query.file("c.csv"))).stream()
              .filter(id -> !id.equals(picked))
              .findFirst()
              .get();
      String text = query.set("--explain", other).run().out();
      assertTrue(text.matches("(?s)item \\d+\n  a candidate .*, but " + rule[1] + "\n.*"), text);
    }
    query.set("--option", "alpha=random").set("--explain", "30");
    assertTrue(picks().contains("mixing ratios in closed form (cap = mixing ratio × √features)"));
    query.set("--option", null).set("--budget", 3).set("--per-class-cap", 1);
    query.set("--explain", null);
    List<String> three = ids(picks());
    String full =
        IntStream.range(6, 40)
            .mapToObj(Integer::toString)
            .filter(id -> !three.contains(id))
            .findFirst()
            .get();
    String text = query.set("--explain", full).run().out();
    assertTrue(
        text.matches(
            "(?s).*not picked: its predicted class \\d has reached the limit of picks per class"
                + " \\(1\\).*"),
        text);
  }

  @Test
  void explainsWithGivenProbabilities() {
    FloatMatrix given = FloatMatrix.zeros(40, 3);
    for (int i = 0; i < 40; i++) {
      given.set(i, 1, 0.75f);
      given.set(i, 2, 0.25f);
    }
    Formats.write(query.file("p.npy"), out -> Npy.write(out, given));
    query.set("--probabilities", query.file("p.npy")).set("--strategy", "margin");
    query.set("--explain", "9");
    String both = picks();
    assertTrue(
        both.contains(
            "predicted 1 (75.0 %), then 2 (25.0 %), from the given probabilities\n"
                + "  predicted by the head "),
        both);
    assertTrue(
        both.contains("picked, rank")
            || both.matches(
                "(?s).*not picked by margin: rank \\d+ of 34 with a score of 0.5[0-9]*; the"
                    + " last.*"),
        both);
    query.set("--labels", null).set("--head", null);
    String alone = picks();
    assertTrue(alone.contains("from the given probabilities"), alone);
    assertFalse(alone.contains("no prediction"), alone);
  }

  @Test
  void acceptsExcludedItemsThatAreNotFinite() {
    query.pool.set(30, 1, Float.NaN);
    Formats.write(query.file("pool.npy"), out -> Npy.write(out, query.pool));
    Formats.text(query.file("no.txt"), "30\n");
    query.set("--exclude", query.file("no.txt")).set("--explain", "30");
    String text = query.set("--output", query.file("picks.csv")).run().out();
    assertTrue(
        text.matches(
            "(?s)item 30\n  excluded; .*row 30 has values that are not finite or too large\n.*"),
        text);
    assertFalse(text.contains("no head was given"), text);
    assertEquals(5, ids(read(query.file("picks.csv"))).size());
    query.pool.set(30, 1, 1e25f);
    Formats.write(query.file("pool.npy"), out -> Npy.write(out, query.pool));
    assertTrue(query.run().out().startsWith("item 30\n  excluded; "));
  }

  @Test
  void explainsWithFittedOrMissingHeads() {
    query.set("--strategy", "coreset").set("--head", null).set("--explain", "7");
    CommandOutcome fitted = query.run();
    assertTrue(fitted.out().contains("not picked by coreset") || fitted.out().contains("picked,"));
    assertTrue(fitted.err().contains("the explanations use a logistic head fitted to 6"));
    String without = query.set("--labels", null).run().out();
    assertTrue(without.contains("no prediction"), without);
    query.set("--labels", query.file("labels.csv")).set("--head", query.file("head.npz"));
    assertTrue(query.set("--dry-run", "").run().out().contains("unlabelled; nothing was selected"));
    query.set("--dry-run", null).set("--explain", "77");
    CommandOutcome unknown = query.run();
    assertEquals(2, unknown.code());
    assertTrue(unknown.err().contains("--explain: the pool has no item '77'."), unknown.err());
  }

  @Test
  void writesCandidatesAsRowNumbers() {
    query.set("--candidates", query.file("c.npy")).set("--manifest", query.file("m.json"));
    picks();
    int[] rows = Npy.open(query.file("c.npy")).readInts();
    query.set("--candidates", query.file("c.csv"));
    picks();
    int[] same = ids(read(query.file("c.csv"))).stream().mapToInt(Integer::parseInt).toArray();
    assertArrayEquals(rows, same);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void keepsIdsAsWritten() {
    Formats.text(
        query.file("p.csv"),
        "embedding,id\n\"[0, 1]\",007\n\"[1, 0]\",7\n\"[2, 2]\",7.0\n\"[5, 5]\", x\n");
    query.set("--embeddings", query.file("p.csv")).set("--strategy", "coreset").set("--budget", 4);
    query.set("--labels", null).set("--head", null);
    assertEquals(List.of(" x", "007", "7", "7.0"), ids(picks()).stream().sorted().toList());
  }

  @Test
  void readsFloatLabelsOfPandasAsClassNumbers() {
    String integers = picks();
    Formats.text(
        query.file("labels.csv"),
        "id,label\n0,0.0\n1,1.0\n2,2.0\n3,0.0\n4,1.0\n5,2.0\n6,\n7,nan\n");
    assertEquals(integers, picks());
  }

  @Test
  void excludesByRowNumbersAndMasksIndependentlyOfIds() {
    StringBuilder csv = new StringBuilder("id,f0\n");
    for (int i = 0; i < 10; i++) {
      csv.append((i + 7) % 10).append(',').append(i).append('\n');
    }
    query.set("--embeddings", Formats.text(query.file("p.csv"), csv.toString()));
    query.set("--labels", null).set("--head", null).set("--strategy", "random").set("--budget", 8);
    Formats.write(query.file("rows.npy"), out -> Npy.write(out, new long[] {0, 1}));
    List<String> left = ids(query.set("--exclude", query.file("rows.npy")).run().out());
    assertFalse(left.contains("7") || left.contains("8"), "the ids of rows 0 and 1");
    Formats.write(
        query.file("mask.npy"),
        out -> {
          Npy.writeHeader(out, "|b1", "10,");
          out.write(new byte[] {1, 1, 0, 0, 0, 0, 0, 0, 0, 0});
        });
    assertEquals(left, ids(query.set("--exclude", query.file("mask.npy")).run().out()));
  }

  @Test
  void cdalUsesProbabilitiesOfLabelledItems() {
    query.set("--strategy", "cdal");
    List<String> byHead = ids(picks());
    FloatMatrix logits = FloatMatrix.zeros(SmallPool.SIZE, 3);
    for (int i = 0; i < SmallPool.SIZE; i++) {
      for (int k = 0; k < 3; k++) {
        logits.set(i, k, query.pool.get(i, k));
      }
    }
    org.alfamix.math.Kernels.softmaxRows(logits);
    Formats.write(query.file("p.npy"), out -> Npy.write(out, logits));
    query.set("--head", null).set("--probabilities", query.file("p.npy"));
    assertEquals(byHead, ids(picks()));
  }

  @Test
  void warnsIfTheHeadContradictsTheLabels() {
    StringBuilder labels = new StringBuilder("id,label\n");
    for (int i = 0; i < 12; i++) {
      labels.append(i).append(',').append((i + 1) % 3).append('\n');
    }
    Formats.text(query.file("labels.csv"), labels.toString());
    CommandOutcome outcome = query.run();
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(
        outcome.err().contains("of the 12 labelled items, no better than guessing"), outcome.err());
  }

  @Test
  void readsFoldersInTheOrderOfNamesAndWarnsIfNumbersDiffer() throws IOException {
    Path parts = Files.createDirectory(query.file("parts"));
    for (String name : new String[] {"part-1.npy", "part-2.npy", "part-10.npy", "._part-1.npy"}) {
      Formats.write(parts.resolve(name), out -> Npy.write(out, query.pool.slice(0, 10)));
    }
    query.set("--embeddings", parts).set("--strategy", "random").set("--labels", null);
    CommandOutcome outcome = query.set("--dry-run", "").run();
    assertTrue(outcome.out().contains("pool        30 items"), outcome.out());
    assertTrue(
        outcome.err().contains("in alphabetical order: part-10.npy before part-2.npy."),
        outcome.err());
    Files.move(parts.resolve("part-1.npy"), parts.resolve("part-01.npy"));
    Files.move(parts.resolve("part-2.npy"), parts.resolve("part-02.npy"));
    assertEquals("", query.run().err());
  }

  @Test
  void ignoresOtherColumns() {
    Formats.text(
        query.file("p.jsonl"),
        "{\"id\": \"a\", \"embedding\": [1, 2], \"tags\": [\"x\", {\"y\": [1]}], \"n\": NaN}\n"
            + "{\"id\": \"b\", \"embedding\": [3, 1]}\n");
    query.set("--embeddings", query.file("p.jsonl")).set("--labels", null).set("--head", null);
    assertEquals(
        List.of("a", "b"), ids(query.set("--strategy", "coreset").set("--budget", 2).run().out()));
  }

  @Test
  void reportsPicksAtRandom() {
    CommandOutcome outcome = query.set("--option", "maxCap=1e-5").set("--seed", 3).run();
    assertEquals(2, outcome.code(), "capStep exceeds maxCap");
    query.set("--option", null).set("--budget", 34);
    outcome = query.run();
    assertEquals(0, outcome.code(), outcome.err());
    long random = outcome.out().lines().filter(line -> line.contains(",inf,")).count();
    assertTrue(random > 0, "the test requires random picks");
    assertTrue(
        outcome.err().contains(random + " of the 34 picks were selected at random"), outcome.err());
  }

  @Test
  void runsTheCommandThatTheExamplePrints() {
    Path example = query.file("example");
    CommandOutcome written = CommandOutcome.of("example", example.toString());
    assertEquals(0, written.code(), written.err());
    String command =
        written
            .out()
            .lines()
            .filter(line -> line.startsWith("  alfamix "))
            .findFirst()
            .orElseThrow();
    CommandOutcome outcome =
        CommandOutcome.of(command.strip().substring("alfamix ".length()).split(" "));
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(6, outcome.out().lines().count());
    assertEquals(2, CommandOutcome.of("example", query.file("pool.npy").toString()).code());
  }

  @Test
  void prepareLeavesNoFiles() throws IOException {
    List<Path> before = prepareFolders();
    assertEquals(0, CommandOutcome.of("prepare").code());
    assertEquals(before, prepareFolders());
  }

  private static List<Path> prepareFolders() throws IOException {
    try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.filter(file -> file.toString().contains("alfamix-prepare")).sorted().toList();
    }
  }
}
