package org.alfamix.spark.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.command.CommandRunner;
import org.alfamix.datasets.EmbeddedTable;
import org.alfamix.datasets.Table;
import org.alfamix.math.FloatMatrix;
import org.alfamix.select.Batch;
import org.alfamix.select.BatchFormat;
import org.alfamix.select.BatchWriter;
import org.alfamix.select.Labels;
import org.alfamix.select.Pool;
import org.alfamix.select.Query;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command on digits with text ids, and its errors. */
class SparkSelectCommandTest {
  private static final int ITEMS = 600;
  private static final int LABELLED = 80;

  @TempDir private Path folder;
  private final Table digits = EmbeddedTable.DIGITS.read();

  private record Outcome(int code, String out, String err) {}

  private static Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine command =
        CommandRunner.configure(new SparkCommand())
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true));
    return new Outcome(command.execute(arguments), out.toString(), err.toString());
  }

  private Outcome select(String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "select",
                "--master",
                "local[2]",
                "--embeddings",
                folder.resolve("pool.jsonl").toString(),
                "--budget",
                "7"));
    all.addAll(List.of(arguments));
    return run(all.toArray(String[]::new));
  }

  private static String id(int i) {
    return String.format(Locale.ROOT, "digit-%04d", i);
  }

  @BeforeEach
  void writeThePool() throws IOException {
    Files.write(
        folder.resolve("pool.jsonl"), IntStream.range(0, ITEMS).mapToObj(this::line).toList());
    String labels =
        IntStream.range(0, LABELLED)
            .mapToObj(i -> id(i) + "," + digits.labels()[i])
            .collect(Collectors.joining("\n", "id,label\n", "\n"));
    Files.writeString(folder.resolve("labels.csv"), labels);
  }

  private String line(int i) {
    return "{\"id\": \"%s\", \"embedding\": %s}"
        .formatted(id(i), java.util.Arrays.toString(digits.features().row(i)));
  }

  private Batch local(String strategy) {
    FloatMatrix rows = digits.features().slice(0, ITEMS).copy();
    int[] labelled = IntStream.range(0, LABELLED).toArray();
    return Query.of(Pool.of(rows, IntStream.range(0, ITEMS).mapToObj(i -> id(i)).toList()))
        .labels(Labels.of(labelled, java.util.Arrays.copyOf(digits.labels(), LABELLED)))
        .strategy(strategy, java.util.Map.of())
        .budget(7)
        .run();
  }

  private String expected(String strategy) throws IOException {
    Path file = folder.resolve("expected.csv");
    BatchWriter.standard().write(local(strategy), BatchFormat.CSV, file);
    return Files.readString(file);
  }

  /** Reads the named file rather than those that the pattern matches. */
  @Test
  void treatsExistingPathsAsLiteral() throws IOException {
    Path pool = folder.resolve("pool.jsonl");
    Path literal = Files.move(pool, folder.resolve("po[ol]{1}?.jsonl"));
    Files.writeString(folder.resolve("poo11.jsonl"), "");
    Outcome outcome =
        run(
            "select",
            "--master",
            "local[2]",
            "--embeddings",
            literal.toString(),
            "--strategy",
            "coreset",
            "--labels",
            folder.resolve("labels.csv").toString(),
            "--budget",
            "7");
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(
        List.of(expected("coreset").lines().map(line -> line.split(",")[0]).toArray()),
        List.of(outcome.out().lines().map(line -> line.split(",")[0]).toArray()));
  }

  @Test
  void writesThePicksOfSelect() throws IOException {
    Path labels = folder.resolve("labels.csv");
    Outcome outcome = select("--labels", labels.toString());
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(expected("alfamix"), outcome.out());
    assertTrue(outcome.err().contains("no head was given; fitted a logistic head to 80"));

    Path picks = folder.resolve("picks.csv");
    Path manifest = folder.resolve("manifest.json");
    Path candidates = folder.resolve("candidates.csv");
    outcome =
        select(
            "--labels", labels.toString(),
            "--output", picks.toString(),
            "--manifest", manifest.toString(),
            "--candidates", candidates.toString());
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(expected("alfamix"), Files.readString(picks));
    assertEquals(
        local("alfamix").selection().orElseThrow().candidates() + 1,
        Files.readAllLines(candidates).size());
    assertEquals("id,flip_cap", Files.readAllLines(candidates).get(0));
    assertTrue(Files.readString(manifest).contains("\"unlabelled\" : 520"));
    assertTrue(outcome.err().contains("selected 7 of "), outcome.err());

    Path parquet = folder.resolve("picks.parquet");
    outcome =
        select(
            "--labels", labels.toString(), "--output", parquet.toString(), "--strategy", "margin");
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(Files.isRegularFile(parquet));
    outcome =
        run(
            "select",
            "--master",
            "local[2]",
            "--embeddings-sql",
            "select id, embedding from json.`" + folder.resolve("pool.jsonl") + "`",
            "--labels",
            labels.toString(),
            "--strategy=margin",
            "--budget=7");
    assertEquals(expected("margin"), outcome.out(), outcome.err());
    try (var files = Files.list(folder)) {
      assertFalse(
          files.anyMatch(file -> file.toString().contains("parts")), "temporary files remain");
    }
  }

  @Test
  void doesNotPickExcludedItems() throws IOException {
    String first = expected("entropy").lines().skip(1).findFirst().orElseThrow().split(",")[0];
    Path exclude = folder.resolve("exclude.txt");
    Files.writeString(exclude, first + "\n");
    Outcome outcome =
        select(
            "--labels", folder.resolve("labels.csv").toString(),
            "--strategy", "entropy",
            "--exclude", exclude.toString());
    assertEquals(0, outcome.code(), outcome.err());
    assertFalse(outcome.out().contains(first + ","));
    String second = expected("entropy").lines().skip(2).findFirst().orElseThrow().split(",")[0];
    assertTrue(outcome.out().lines().skip(1).findFirst().orElseThrow().startsWith(second));
  }

  @Test
  void usesLabelsOfExcludedItems() throws IOException {
    Path exclude = folder.resolve("exclude.csv");
    Files.writeString(exclude, "id\n" + id(0) + "\n" + id(300) + "\n");
    Outcome outcome =
        select(
            "--labels", folder.resolve("labels.csv").toString(),
            "--strategy", "margin",
            "--exclude", exclude.toString());
    FloatMatrix rows = digits.features().slice(0, ITEMS).copy();
    int[] labelled = IntStream.range(0, LABELLED).toArray();
    Batch local =
        Query.of(Pool.of(rows, IntStream.range(0, ITEMS).mapToObj(i -> id(i)).toList()))
            .labels(Labels.of(labelled, java.util.Arrays.copyOf(digits.labels(), LABELLED)))
            .strategy("margin", java.util.Map.of())
            .exclude(0, 300)
            .budget(7)
            .run();
    Path file = folder.resolve("expected.csv");
    BatchWriter.standard().write(local, BatchFormat.CSV, file);
    assertEquals(Files.readString(file), outcome.out(), outcome.err());
  }

  @Test
  void reportsErrorsInOneLine() throws IOException {
    Path labels = folder.resolve("labels.csv");
    assertError(2, "strategy is 'bald'; expected one of alfamix, random,", "--strategy", "bald");
    assertError(2, "--bad-rows is 'drop'; expected one of fail, skip.", "--bad-rows", "drop");
    assertError(
        2,
        "npy is not supported because tables have no row numbers",
        "--output",
        folder + "/p.npy");
    assertError(2, "Strategy 'alfamix' requires labelled items, but nothing is labelled yet");
    assertError(
        2,
        "is both an input and an output; it would be overwritten.",
        "--output",
        folder + "/pool.jsonl");
    assertError(
        2,
        "--candidates: only alfamix has candidates; the strategy is margin.",
        "--strategy=margin",
        "--candidates=" + folder.resolve("c.csv"));
    assertError(2, "already exists.", "--output-folder", folder.toString());
    assertError(2, "spark.sql.shuffle.partitions", "--conf", "spark.sql.shuffle.partitions=abc");
    Outcome uri =
        run(
            "select",
            "--master=local[2]",
            "--embeddings=file://" + folder.resolve("pool.jsonl"),
            "--budget=3",
            "--output=" + folder.resolve("pool.jsonl"));
    assertEquals(2, uri.code());
    assertTrue(uri.err().contains("is both an input and an output"), uri.err());
    Outcome sql = run("select", "--master=local[2]", "--embeddings-sql=selec 1", "--budget=3");
    assertEquals(3, sql.code());
    assertTrue(sql.err().contains("PARSE_SYNTAX_ERROR"), sql.err());
    Outcome master = run("select", "--master=nonsense", "--embeddings=x", "--budget=3");
    assertEquals(2, master.code());
    assertTrue(
        master.err().startsWith("alfamix: Invalid --master; expected local[N]"), master.err());
    assertError(3, "none.csv: no such file.", "--labels", folder + "/none.csv");
    assertError(
        3, "No column 'vector'; the columns are embedding, id.", "--embedding-column", "vector");
    Files.writeString(labels, "id,label\ndigit-0001,1\ndigit-9999,2\n");
    assertError(3, "labels.csv: the pool has no item 'digit-9999'.", "--labels", labels.toString());
    Files.writeString(labels, "id,label\ndigit-0001,1\ndigit-0001,2\n");
    assertError(
        3,
        "labels.csv, line 3: the label '2' of item 'digit-0001' conflicts with '1'.",
        "--labels",
        labels.toString());
    Outcome outcome =
        run("select", "--master=local[2]", "--embeddings", folder + "/no*.parquet", "--budget=3");
    assertEquals(3, outcome.code());
    assertTrue(outcome.err().contains("no*.parquet"), outcome.err());
    assertEquals(1, outcome.err().lines().count(), outcome.err());
  }

  @Test
  void rejectsOrSkipsInvalidRows() throws IOException {
    List<String> lines = new ArrayList<>(Files.readAllLines(folder.resolve("pool.jsonl")));
    lines.set(500, "{\"id\": \"digit-0500\", \"embedding\": [1, 2, 3]}");
    lines.add("{\"id\": \"digit-x\", \"embedding\": null}");
    Files.write(folder.resolve("pool.jsonl"), lines);
    Path picks = folder.resolve("picks.csv");
    Files.writeString(picks, "earlier content\n");
    String labels = folder.resolve("labels.csv").toString();
    assertError(
        3,
        "2 rows are invalid; the first: the item 'digit-0500' has an embedding of 3 values"
            + " (expected 64).",
        "--labels",
        labels,
        "--output",
        picks.toString());
    assertEquals("earlier content\n", Files.readString(picks));
    Outcome outcome =
        select("--labels", labels, "--bad-rows", "skip", "--output", picks.toString());
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(outcome.err().contains("alfamix: 2 rows were skipped."), outcome.err());
    assertEquals(8, Files.readAllLines(picks).size());
  }

  private void assertError(int code, String message, String... arguments) {
    Outcome outcome = select(arguments);
    assertEquals(code, outcome.code(), outcome.err());
    String first = outcome.err().lines().findFirst().orElse("");
    assertTrue(first.startsWith("alfamix: ") && first.contains(message), outcome.err());
    assertTrue(outcome.err().lines().count() <= 2, outcome.err());
    assertEquals("", outcome.out());
  }

  @Test
  void selectsFromTheExample() {
    Path example = folder.resolve("example");
    Outcome written = run("example", example.toString(), "--rows=3000", "--master=local[2]");
    assertEquals(0, written.code(), written.err());
    Outcome outcome =
        run(
            "select",
            "--master=local[2]",
            "--embeddings",
            example + "/pool/*.parquet",
            "--labels",
            example + "/labels.csv",
            "--budget=5");
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(6, outcome.out().lines().count());
    Outcome again = run("example", example.toString(), "--rows=3000", "--master=local[2]");
    assertEquals(2, again.code());
    assertTrue(again.err().contains("already exists"), again.err());
  }
}
