package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Regression tests for inputs that once gave wrong results without an error. */
class EdgeCasesTest {
  @TempDir private Path folder;
  private SmallPool query;

  @BeforeEach
  void prepare() {
    query = new SmallPool(folder);
  }

  private static List<String> ids(String csv) {
    return csv.lines().skip(1).map(line -> line.substring(0, line.indexOf(','))).toList();
  }

  private Path parquet(String name, int first) throws IOException {
    Path plain = folder.resolve("plain-" + first + ".parquet");
    Formats.sql(
        "COPY (SELECT %d + i AS id, i::FLOAT AS f0, (i * 7 %% 13)::FLOAT AS f1 FROM range(30) t(i)) TO '%s' (FORMAT parquet)"
            .formatted(first, plain));
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.move(plain, file);
  }

  private SmallPool coreset(Object embeddings) {
    return query
        .set("--embeddings", embeddings)
        .set("--labels", null)
        .set("--head", null)
        .set("--strategy", "coreset");
  }

  @ParameterizedTest
  @ValueSource(strings = {"p[12].parquet", "p*.parquet", "p?.parquet", "f0=9/p.parquet"})
  void readsAnExistingFileWhoseNameIsAPattern(String name) throws IOException {
    parquet("p1.parquet", 0);
    Path file = parquet(name, 1000);
    List<String> picks = ids(coreset(file).run().out());
    assertEquals(5, picks.size());
    assertTrue(picks.stream().allMatch(id -> Integer.parseInt(id) >= 1000), picks.toString());
    // The column f0 is read from the file, not from the folder name.
    assertEquals("1029", picks.get(1));
  }

  @Test
  void recognizesTheParquetExtensionInAnyCase() throws IOException {
    assertEquals(5, ids(coreset(parquet("UP.PARQUET", 0)).run().out()).size());
  }

  /**
   * DuckDB computes groups, distinct rows and joins in parallel, in a different order each time.
   */
  @Test
  void queryReturnsTheSamePoolEachTime() throws IOException {
    Path manifest = folder.resolve("manifest.json");
    Set<String> outcomes = new HashSet<>();
    for (int time = 0; time < 3; time++) {
      query
          .set("--embeddings", null)
          .set("--labels", null)
          .set("--head", null)
          .set("--strategy", "random")
          .set("--manifest", manifest)
          .set(
              "--embeddings-sql",
              "SELECT i % 20000 AS id, [avg(sin(i)), sum(i)] AS embedding FROM range(300000) t(i)"
                  + " GROUP BY ALL");
      CommandOutcome outcome = query.run();
      assertEquals(0, outcome.code(), outcome.err());
      Matcher digest =
          Pattern.compile("\"embeddingsSqlSha256\" : \"([0-9a-f]{64})\"")
              .matcher(Files.readString(manifest));
      assertTrue(digest.find());
      outcomes.add(outcome.out() + digest.group(1));
    }
    assertEquals(1, outcomes.size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ";", " ; -- the end", "; /* one */ -- two\n;", " -- no semicolon"})
  void acceptsSemicolonsAndCommentsAtTheEndOfAQuery(String end) {
    query
        .set("--embeddings", null)
        .set("--labels", null)
        .set("--head", null)
        .set("--strategy", "coreset")
        .set("--embeddings-sql", "SELECT i AS id, [i] AS embedding FROM range(9) t(i)" + end);
    CommandOutcome outcome = query.run();
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(5, ids(outcome.out()).size());
  }

  @Test
  void reportsEmptyTables() {
    Path empty = Formats.text(query.file("empty.jsonl"), "\n");
    CommandOutcome select = coreset(empty).run();
    assertEquals(3, select.code());
    assertTrue(select.err().contains("empty.jsonl: an empty pool"), select.err());
    CommandOutcome train = CommandOutcome.of("train", "--data", empty.toString());
    assertEquals(3, train.code());
    assertTrue(train.err().contains("empty.jsonl: the file is empty; expected rows"), train.err());
  }

  /** scikit-learn's {@code classes_} are floats if pandas has read integers with missing values. */
  @Test
  void acceptsFloatClassesOfAHead() {
    FloatMatrix weight = FloatMatrix.zeros(3, SmallPool.FEATURES);
    for (int k = 0; k < 3; k++) {
      weight.set(2 - k, k, 1);
    }
    Formats.write(
        query.file("head.npz"),
        out -> {
          ZipOutputStream zip = new ZipOutputStream(out);
          zip.putNextEntry(new ZipEntry("weight.npy"));
          Npy.write(zip, weight);
          zip.putNextEntry(new ZipEntry("bias.npy"));
          Npy.write(zip, new float[3]);
          zip.putNextEntry(new ZipEntry("classes.npy"));
          Npy.write(zip, new float[] {2, 1, 0});
          zip.finish();
        });
    String reversed = query.run().out();
    assertTrue(
        reversed.lines().skip(1).allMatch(line -> line.matches(".*,[012],\"predicted .*")),
        reversed);
    SmallPool plain = new SmallPool(query.folder);
    assertEquals(ids(plain.run().out()), ids(reversed));
  }

  @Test
  void sortsRowsOfAQueryById() throws IOException {
    query
        .set("--embeddings", null)
        .set("--labels", null)
        .set("--head", null)
        .set("--strategy", "coreset")
        .set("--format", "npy")
        .set("--output", folder.resolve("rows.npy"))
        .set("--budget", 1)
        .set(
            "--embeddings-sql",
            "SELECT id, [id::DOUBLE] AS embedding FROM (VALUES (30), (4), (100)) t(id) ORDER BY id"
                + " DESC");
    assertEquals(0, query.run().code());
    // Without labelled items, coreset picks the first item of the pool: 4, not 30 or 100.
    query.set("--format", null).set("--output", null);
    assertEquals(List.of("4"), ids(query.run().out()));
  }

  @Test
  void matchesLabelsWithDecimalsByValue() {
    Formats.text(query.file("labels.csv"), "id,label\n0,1.0\n1,2.0\n2,3.0\n3,1.0\n4,2.0\n5,3.0\n");
    String decimals = query.set("--classes", "1,2,3").run().out();
    Formats.text(query.file("labels.csv"), "id,label\n0,1\n1,2\n2,3\n3,1\n4,2\n5,3\n");
    assertEquals(query.run().out(), decimals);
    assertEquals(6, decimals.lines().count());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--embeddings",
        "--labels",
        "--head",
        "--output",
        "--manifest",
        "--exclude",
        "--classes",
        "--probabilities"
      })
  void rejectsEmptyPathsWithTheNameOfTheOption(String option) {
    Map<String, String> before = query.contents();
    String pool = query.file("pool.npy").toString();
    CommandOutcome outcome =
        option.equals("--embeddings")
            ? CommandOutcome.of("select", "--budget", "3", option, "")
            : CommandOutcome.of("select", "--embeddings", pool, "--budget", "3", option, "");
    assertEquals(2, outcome.code());
    assertTrue(
        outcome.err().startsWith("alfamix: " + option + " is empty, expected a value.\n"),
        outcome.err());
    assertEquals(before, query.contents());
  }

  @Test
  void rejectsEmptyArguments() {
    for (String[] args :
        new String[][] {
          {""},
          {"lab", "report", ""},
          {"", "--help"},
          {"example", ""},
          {"help", ""},
          {"select", "--option", ""},
          {"select", "--budget", ""}
        }) {
      CommandOutcome outcome = CommandOutcome.of(args);
      assertEquals(2, outcome.code(), String.join(" ", args));
      assertTrue(outcome.err().contains("is empty, expected a value."), outcome.err());
      assertFalse(outcome.err().contains("Exception"), outcome.err());
    }
  }

  @Test
  void leavesNoOutputsIfTheDiskIsFull() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "requires /dev/full");
    Map<String, String> before = query.contents();
    CommandOutcome outcome =
        query
            .set("--output", full)
            .set("--format", "csv")
            .set("--candidates", query.file("candidates.csv"))
            .set("--manifest", query.file("manifest.json"))
            .run();
    assertEquals(4, outcome.code(), outcome.err());
    assertTrue(outcome.err().contains("/dev/full: cannot be written"), outcome.err());
    assertEquals(before, query.contents());
  }

  @Test
  void rejectsTooManyRestarts() {
    CommandOutcome outcome = query.set("--option", "restarts=2000000000").run();
    assertEquals(2, outcome.code());
    assertTrue(
        outcome.err().contains("restarts of alfamix must be 1 to 1000, got 2000000000."),
        outcome.err());
  }

  /** Uses the pool of {@code alfamix example}. */
  @Test
  void coresetIgnoresAConstantColumn() throws IOException {
    Path made = folder.resolve("example");
    assertEquals(0, CommandOutcome.of("example", made.toString()).code());
    String[] lines = Files.readString(made.resolve("pool.csv")).split("\n");
    for (int i = 1; i < lines.length; i++) {
      lines[i] = lines[i].replace("]", ", 100000.0]");
    }
    Path shifted = Files.writeString(made.resolve("shifted.csv"), String.join("\n", lines) + "\n");
    List<String> expected =
        List.of(
            "digit-1572.png",
            "digit-0756.png",
            "digit-1495.png",
            "digit-1595.png",
            "digit-0413.png");
    for (Path pool : List.of(made.resolve("pool.csv"), shifted)) {
      coreset(pool).set("--labels", made.resolve("labels-by-id.csv"));
      assertEquals(expected, ids(query.run().out()));
    }
  }

  @Test
  void warnsIfALargeOffsetReducesThePrecisionOfPredictions() {
    FloatMatrix shifted = query.pool.copy();
    for (int i = 0; i < shifted.array().length; i++) {
      shifted.array()[i] += 1e6f;
    }
    FloatMatrix weight = FloatMatrix.zeros(3, SmallPool.FEATURES);
    for (int i = 0; i < weight.array().length; i++) {
      weight.array()[i] = (float) Math.sin(i);
    }
    float[] bias = new float[3];
    for (int k = 0; k < 3; k++) {
      for (int d = 0; d < SmallPool.FEATURES; d++) {
        bias[k] -= 1e6f * weight.get(k, d);
      }
    }
    query.set("--strategy", "margin");
    Formats.bundle(query.file("head.npz"), "weight", weight, "bias", new float[3]);
    assertFalse(query.run().err().contains("lose precision"));
    Formats.write(query.file("pool.npy"), out -> Npy.write(out, shifted));
    Formats.bundle(query.file("head.npz"), "weight", weight, "bias", bias);
    CommandOutcome outcome = query.run();
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(
        outcome.err().contains("predictions lose precision: errors of logits are up to"),
        outcome.err());
  }

  @Test
  void helpWarnsThatTorchScriptFilesArePrograms() {
    String help = CommandOutcome.of("help", "train").out().replaceAll("\\s+", " ");
    assertTrue(help.contains("TorchScript files are programs"), help);
  }
}
