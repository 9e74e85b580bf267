package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Invalid input is reported in one line, with place and expectation, and nothing is written. */
class SelectErrorsTest {
  private static final int USAGE = 2;
  private static final int DATA = 3;

  @TempDir private Path folder;
  private SmallPool query;

  @BeforeEach
  void createValidQuery() {
    query = new SmallPool(folder);
  }

  /** Runs with an existing output, which must stay as it is, without any other new file. */
  private void assertRejected(int code, String expected) {
    Formats.text(folder.resolve("picks.csv"), "old content");
    query.set("--output", query.file("picks.csv"));
    query.set("--manifest", query.file("manifest.json"));
    Map<String, String> before = query.contents();
    CommandOutcome outcome = query.run();
    assertEquals(code, outcome.code(), outcome.err());
    assertTrue(
        outcome.err().replace(folder.toString() + "/", "").contains(expected), outcome.err());
    assertFalse(outcome.err().contains("Exception"), outcome.err());
    String message =
        outcome.err().lines().filter(line -> line.startsWith("alfamix: ")).findFirst().orElse("");
    assertTrue(outcome.err().lines().count() <= (code == USAGE ? 2 : 1), outcome.err());
    assertTrue(message.endsWith("."), message);
    assertEquals("", outcome.out());
    assertEquals(before, query.contents());
  }

  @Test
  void acceptsTheValidQuery() {
    CommandOutcome outcome = query.run();
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals(6, outcome.out().lines().count());
    assertEquals("", outcome.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,0;99,1 | labels.csv, line 3: '99' is not a row of the pool, expected 0 to 39",
        "0,0;cat,1 | labels.csv, line 3: 'cat' is not a row of the pool",
        "0,0;1,1;0,0 | labels.csv, line 4: the item already has a label at line 2.",
        "0,0;1,1;0,2 | labels.csv, line 4: the label '2' conflicts with '0' at line 2.",
        "0,0;1,3 | labels.csv, line 3: class 3, expected 0 to 2: the head has 3 classes.",
        "0,0;1,-2 | labels.csv, line 3: class -2, expected 0 to 2",
        "0,0;1 | labels.csv, line 3: expected 2 fields as in the header, found 1.",
        "0,a;1,b | the head has 3 classes, but the labels have 2 distinct values; list the class"
            + " names in their order with --classes.",
        "0,a;1,b;2,c;3,d | the head has 3 classes, but the labels have 4 distinct values",
      })
  void rejectsInvalidLabels(String rows, String expected) {
    Formats.text(query.file("labels.csv"), "id,label\n" + rows.strip().replace(";", "\n") + "\n");
    assertRejected(DATA, expected);
  }

  @Test
  void rejectsLabelsWithoutRequiredColumns() {
    Formats.text(query.file("labels.csv"), "name,kind\na,b\n");
    assertRejected(DATA, "labels.csv: expected the columns id and label, found name, kind.");
  }

  @Test
  void rejectsClassesThatTheHeadDoesNotHave() {
    Formats.text(query.file("labels.csv"), "id,label\n0,cat\n1,dog\n2,cow\n");
    query.set("--classes", "cat,dog,hen");
    assertRejected(DATA, "labels.csv, line 4: unknown class 'cow'; the classes are cat, dog, hen.");
    query.set("--classes", "cat,dog");
    assertRejected(DATA, "the head has 3 classes, but 2 class names were given.");
    query.set("--classes", "cat,dog,cat");
    assertRejected(USAGE, "--classes has duplicate names.");
  }

  @Test
  void rejectsLabelArraysOfWrongLengthOrType() {
    Path file = Formats.write(query.file("l.npy"), out -> Npy.write(out, new long[] {0, 1, -1}));
    query.set("--labels", file);
    assertRejected(DATA, "l.npy: 3 labels, expected 40, one per item of the pool");
    Formats.write(file, out -> Npy.write(out, new float[SmallPool.SIZE]));
    assertRejected(DATA, "l.npy: type f4, expected integers.");
    long[] negative = new long[SmallPool.SIZE];
    negative[7] = -3;
    Formats.write(file, out -> Npy.write(out, negative));
    assertRejected(DATA, "l.npy, row 7: label -3, expected a class number or -1 for unlabelled.");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[{\"data\": {\"image\": \"x\"}, \"annotations\": [{\"result\": [{\"type\": \"choices\","
            + " \"value\": {\"choices\": [\"0\"]}}]}]}] | export.json, task 0: no field contains"
            + " the id of an item of the pool; expected the field alfamix_id; name the id field"
            + " with --label-id-column.",
        "[{\"data\": {\"alfamix_id\": \"77\"}, \"annotations\": [{\"result\": [{\"type\":"
            + " \"choices\", \"value\": {\"choices\": [\"0\"]}}]}]}]"
            + " | export.json, task 0: the pool has no item '77'.",
        "[{\"data\": {\"alfamix_id\": \"7\"}, \"annotations\": [{\"result\": [{\"type\":"
            + " \"choices\", \"value\": {\"choices\": [\"0\", \"1\"]}}]}]}]"
            + " | export.json, task 0: the choices are [0, 1], expected exactly one.",
        "[{\"alfamix_id\": \"7\", \"label\": \"1\"}, {\"alfamix_id\": \"7\", \"label\": \"2\"}]"
            + " | export.json, task 1: the label '2' conflicts with '1' at task 0.",
        "{\"a\": 1} | export.json: expected a list of tasks, as Label Studio exports it.",
        "[{\"a\": | export.json: invalid JSON:"
      })
  void rejectsInvalidLabelStudioExports(String json, String expected) {
    query.set("--labels", Formats.text(query.file("export.json"), json));
    assertRejected(DATA, expected);
  }

  @Test
  void rejectsRowsOfDifferentLength() {
    query.set("--labels", null).set("--head", null).set("--strategy", "coreset");
    query.set(
        "--embeddings",
        Formats.text(query.file("p.csv"), "id,embedding\na,\"[1, 2]\"\nb,\"[1, 2, 3]\"\n"));
    assertRejected(
        DATA, "p.csv, line 3: an embedding of 3 values, expected 2 as in the rows before.");
    query.set(
        "--embeddings",
        Formats.text(
            query.file("p.jsonl"),
            "{\"id\": 1, \"embedding\": [1, 2]}\n{\"id\": 2, \"embedding\": [1]}\n"));
    assertRejected(
        DATA, "p.jsonl, line 2: an embedding of 1 values, expected 2 as in the rows before.");
    Path parquet = query.file("p.parquet");
    Formats.sql(
        "COPY (SELECT 'x' || i AS id, [j::FLOAT for j in range(2 + i // 5)] AS embedding FROM"
            + " range(9) t(i)) TO '"
            + parquet
            + "' (FORMAT parquet)");
    query.set("--embeddings", parquet);
    assertRejected(
        DATA, "p.parquet, row 5: an embedding of 3 values, expected 2 as in the rows before.");
  }

  @ParameterizedTest
  @CsvSource({"NaN, 7, 2", "Infinity, 0, 0", "-Infinity, 39, 3"})
  void rejectsEmbeddingsThatAreNotFinite(String value, int row, int column) {
    query.pool.set(row, column, Float.parseFloat(value));
    Formats.write(query.file("pool.npy"), out -> Npy.write(out, query.pool));
    assertRejected(
        DATA,
        "pool.npy, row %d, column %d is %s, expected a finite number."
            .formatted(row, column, value));
    query.set("--head", null);
    assertRejected(DATA, "pool.npy, row " + row + ", column " + column);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id,f0,f1;a,1,nan | p.csv, line 2: column f1 is 'nan', expected a finite number.",
        "id,f0,f1;a,1,x | p.csv, line 2: column f1 is 'x', expected a finite number.",
        "id,f0,f1;a,1, | p.csv, line 2: column f1 is missing, expected a finite number.",
        "id,f0,f1;a,1e99,1 | p.csv, line 2: column f0 is '1e99', expected a finite number.",
        "id,embedding;a,1 | p.csv, line 2: column embedding is '1', expected a list of numbers",
        "id,g0;a,1 | p.csv: no embeddings among the columns id, g0; expected a column 'embedding',"
            + " or f0",
        "id,f0;a,1;a,2 | p.csv, row 1: duplicate id 'a', first used at p.csv, row 0.",
        "id,f0;a,1;,2 | p.csv, line 3: column id is empty.",
        "id,f0 | p.csv: an empty pool, expected at least one embedding.",
        "id,f0;\"a,1 | p.csv, line 2: unterminated quoted field."
      })
  void rejectsInvalidTables(String rows, String expected) {
    query.set("--labels", null).set("--head", null).set("--strategy", "coreset");
    query.set(
        "--embeddings", Formats.text(query.file("p.csv"), rows.strip().replace(";", "\n") + "\n"));
    assertRejected(DATA, expected.strip());
  }

  @Test
  void rejectsHeadsOfWrongShape() {
    assertHeadRejected(
        FloatMatrix.zeros(3, 5),
        new float[3],
        "head.npz: weight: shape 3 x 5, expected classes x 4, one column per feature of the"
            + " embeddings.");
    assertHeadRejected(FloatMatrix.zeros(4, 3), new float[3], "it is transposed: save weight.T.");
    assertHeadRejected(
        FloatMatrix.zeros(3, 4),
        new float[2],
        "head.npz: bias: 2, expected 3, one value for each row of the weight.");
    assertHeadRejected(
        FloatMatrix.zeros(1, 4),
        new float[1],
        "expected at least two rows, one per class (for a single weight");
    FloatMatrix broken = FloatMatrix.zeros(3, 4);
    broken.set(1, 2, Float.NaN);
    assertHeadRejected(broken, new float[3], "head weight: row 1, column 2 is NaN");
    Formats.bundle(query.file("head.npz"), "kernel", FloatMatrix.zeros(3, 4), null, null);
    assertRejected(DATA, "head.npz: no weight and bias among kernel; expected names such as");
    query.set("--head", query.file("none.npz"));
    assertRejected(DATA, "none.npz: no such file.");
    query.set("--head", query.file("labels.csv"));
    assertRejected(DATA, "labels.csv: expected an .npz, .safetensors, .pth or .pt file.");
  }

  private void assertHeadRejected(FloatMatrix weight, float[] bias, String expected) {
    Formats.bundle(query.file("head.npz"), "weight", weight, "bias", bias);
    assertRejected(DATA, expected);
  }

  @Test
  void rejectsTruncatedArrays() throws IOException {
    byte[] whole = Files.readAllBytes(query.file("pool.npy"));
    Files.write(query.file("pool.npy"), java.util.Arrays.copyOf(whole, whole.length - 10));
    assertRejected(DATA, "pool.npy: truncated: 758 bytes, expected 768 for 40 x 4.");
    Files.write(query.file("pool.npy"), java.util.Arrays.copyOf(whole, 40));
    assertRejected(DATA, "pool.npy: truncated header.");
    byte[] head = Files.readAllBytes(query.file("head.npz"));
    Files.write(query.file("pool.npy"), whole);
    Files.write(query.file("head.npz"), java.util.Arrays.copyOf(head, head.length / 2));
    assertRejected(DATA, "head.npz: not a readable .npz file, or truncated");
  }

  @Test
  void rejectsArraysOfObjectsOrInFortranOrder() {
    Formats.write(
        query.file("pool.npy"),
        out -> {
          Npy.writeHeader(out, "|O", "40,");
          out.write(new byte[400]);
        });
    assertRejected(DATA, "pool.npy: an array of pickled Python objects, expected numbers");
    String header = "{'descr': '<f4', 'fortran_order': True, 'shape': (40, 4), }\n";
    Formats.write(
        query.file("pool.npy"),
        out -> {
          out.write(new byte[] {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0});
          out.write(new byte[] {(byte) header.length(), 0});
          out.write(header.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
          out.write(new byte[640]);
        });
    assertRejected(
        DATA, "pool.npy: Fortran order, expected C order (save numpy.ascontiguousarray(x)).");
  }

  @Test
  void rejectsEmptyAndMissingPools() throws IOException {
    Formats.write(query.file("pool.npy"), out -> Npy.write(out, FloatMatrix.zeros(0, 4)));
    assertRejected(DATA, "pool.npy: an empty pool, expected at least one embedding.");
    query.set("--embeddings", query.file("none.npy"));
    assertRejected(DATA, "none.npy: no such file.");
    query.set("--embeddings", Files.createDirectory(query.file("empty")));
    assertRejected(
        DATA, "empty: expected .npy, .npz or .parquet files in this folder, found none.");
    query.set("--embeddings", query.file("x*.npy"));
    assertRejected(DATA, "x*.npy: no file matches.");
    query.set("--embeddings", query.file("labels.txt"));
    Formats.text(query.file("labels.txt"), "1 2 3");
    assertRejected(DATA, "labels.txt: expected .npy, .npz, .csv, .tsv, .jsonl or .parquet");
  }

  @Test
  void rejectsAmbiguousArrays() {
    Formats.bundle(query.file("two.npz"), "a", query.pool, null, null);
    query.set("--embeddings", query.file("two.npz")).set("--array", "b");
    assertRejected(DATA, "two.npz: no array 'b'; it has a.");
    query.set("--array", null);
    Formats.write(
        query.file("two.npz"),
        out -> {
          var zip = new java.util.zip.ZipOutputStream(out);
          for (String name : new String[] {"train", "test"}) {
            zip.putNextEntry(new java.util.zip.ZipEntry(name + ".npy"));
            Npy.write(zip, query.pool);
            zip.closeEntry();
          }
          zip.finish();
        });
    assertRejected(DATA, "several arrays of two dimensions (train, test); name one with --array.");
    query.set("--array", "test").set("--output", null).set("--manifest", null);
    assertEquals(0, query.run().code());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--budget | 0 | --budget must be at least 1, got 0.",
        "--budget | 35 | --budget is 35, but the pool has only 34 unlabelled items.",
        "--budget | many | --budget is 'many', expected an integer.",
        "--strategy | alfamx | strategy is 'alfamx', expected one of random, entropy",
        "--option | capStep=x | Option capStep of alfamix is 'x', expected a number.",
        "--option | capStp=1 | Strategy 'alfamix' has no option 'capStp'; its options are alpha,"
            + " anchors, picks, capStep, grow, maxCap, restarts, alphaBound, alphaSteps, alphaRate,"
            + " alphaPenalty.",
        "--option | alphaPenalty=1e39 | Option alphaPenalty of alfamix must be in [0, 1000], got"
            + " 1.0E39.",
        "--option | alphaRate=1e300 | Option alphaRate of alfamix must be in (0, 1000], got"
            + " 1.0E300.",
        "--option | anchors=mean | Option anchors of alfamix is 'mean', expected one of"
            + " class-means, random-items, none, none-relative.",
        "--threads | -1 | --threads must be 0 to 1024, got -1.",
        "--per-class-cap | 0 | --per-class-cap must be at least 1, got 0.",
        "--format | xml | Unknown format 'xml', expected csv, jsonl, parquet, npy or label-studio.",
        "--head-weight | w.npy | --head and --head-weight cannot be combined.",
        "--embedings | x | Unknown option '--embedings'; did you mean --embeddings?"
      })
  void reportsWrongUsage(String option, String value, String expected) {
    query.set(option, value);
    Formats.text(folder.resolve("picks.csv"), "old content");
    query.set("--output", query.file("picks.csv"));
    Map<String, String> before = query.contents();
    CommandOutcome outcome = query.run();
    assertEquals(USAGE, outcome.code(), outcome.err());
    assertTrue(outcome.err().contains(expected), outcome.err());
    assertTrue(outcome.err().lines().count() <= 3, outcome.err());
    assertEquals(before, query.contents());
  }

  @Test
  void rejectsCandidatesOfOtherMethods() {
    query.set("--strategy", "entropy").set("--candidates", query.file("c.csv"));
    assertRejected(USAGE, "--candidates requires the strategy alfamix, got entropy.");
  }

  @Test
  void suggestsMethodsForTheFirstLabels() {
    query.set("--labels", null);
    assertRejected(
        USAGE,
        "Strategy 'alfamix' requires labelled items, but nothing is labelled yet; use one of"
            + " random, coreset for the first labels.");
    query.set("--head", null).set("--strategy", "margin");
    assertRejected(USAGE, "Strategy 'margin' requires a model, but nothing is labelled yet");
    Formats.text(query.file("labels.csv"), "id,label\n");
    query.set("--labels", query.file("labels.csv"));
    assertRejected(USAGE, "Strategy 'margin' requires a model, but nothing is labelled yet");
  }

  @Test
  void rejectsLabelsOfOneClassWithoutAHead() {
    Formats.text(query.file("labels.csv"), "id,label\n0,1\n3,1\n");
    query.set("--head", null);
    assertRejected(
        DATA,
        "labels.csv: all labels belong to one class; fitting a head requires at least two"
            + " classes.");
  }

  @Test
  void rejectsInvalidProbabilities() {
    FloatMatrix rows = FloatMatrix.zeros(SmallPool.SIZE, 3);
    java.util.Arrays.fill(rows.array(), 1 / 3f);
    Path file = query.file("p.npy");
    query.set("--strategy", "entropy").set("--probabilities", file);
    Formats.write(file, out -> Npy.write(out, rows.slice(0, 10)));
    assertRejected(
        DATA, "p.npy: shape 10 x 3, expected items x classes with 40 items, the size of the pool.");
    rows.set(17, 1, 0.9f);
    Formats.write(file, out -> Npy.write(out, rows));
    assertRejected(DATA, "probabilities: " + "p.npy, row 17 sums to 1.5666666, expected 1.");
    rows.set(17, 1, -0.5f);
    Formats.write(file, out -> Npy.write(out, rows));
    assertRejected(DATA, "p.npy, row 17, column 1 is -0.5, expected a probability.");
  }

  @Test
  void rejectsOutputsThatCannotBeWritten() throws IOException {
    query.set("--output", query.file("no/such/picks.csv"));
    assertUnwritable("picks.csv cannot be written: the folder");
    query.set("--output", folder);
    assertUnwritable("is a folder; expected a file name.");
    query.set("--output", null).set("--manifest", query.file("no/m.json"));
    assertUnwritable("m.json cannot be written: the folder");
    query.set("--manifest", null).set("--format", "parquet");
    assertUnwritable("--format parquet requires --output FILE.");
    Path locked = Files.createDirectory(query.file("locked"));
    assumeTrue(
        locked.toFile().setWritable(false) && !Files.isWritable(locked),
        "root can write everywhere");
    query.set("--format", null).set("--output", locked.resolve("picks.csv"));
    CommandOutcome denied = query.run();
    assertEquals(4, denied.code(), denied.err());
    assertTrue(denied.err().contains("picks.csv: cannot be written: access denied."));
  }

  private void assertUnwritable(String expected) {
    Map<String, String> before = query.contents();
    CommandOutcome outcome = query.run();
    assertEquals(USAGE, outcome.code(), outcome.err());
    assertTrue(outcome.err().contains(expected), outcome.err());
    assertEquals("", outcome.out());
    assertEquals(before, query.contents());
  }

  @Test
  void leavesNoPartialFileIfTheDiskIsFull() {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "requires /dev/full");
    java.io.UncheckedIOException failure =
        org.junit.jupiter.api.Assertions.assertThrows(
            java.io.UncheckedIOException.class,
            () ->
                org.alfamix.io.AtomicFile.writePath(
                    query.file("picks.csv"),
                    temporary -> {
                      Files.writeString(temporary, "half of it");
                      Files.write(full, new byte[100]);
                    }));
    assertTrue(failure.getMessage().contains("picks.csv: cannot be written: "));
    assertFalse(Files.exists(query.file("picks.csv")));
    assertTrue(query.contents().keySet().stream().noneMatch(name -> name.endsWith(".tmp")));
  }

  @Test
  void writesToDevicesAndThroughLinks() throws IOException {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "requires /dev/full");
    CommandOutcome outcome = query.set("--output", full).run();
    assertEquals(4, outcome.code(), outcome.err());
    assertTrue(outcome.err().contains("/dev/full: cannot be written: "), outcome.err());
    assertFalse(Files.isRegularFile(full), "a device must stay a device");
    Path target = Formats.text(query.file("target.csv"), "old");
    Path link = Files.createSymbolicLink(query.file("link.csv"), target);
    assertEquals(0, query.set("--output", link).run().code());
    assertTrue(Files.isSymbolicLink(link));
    assertEquals(6, Files.readAllLines(target).size());
  }

  @Test
  void rejectsTextArraysAndRowsOutsideThePool() {
    Path file =
        Formats.write(
            query.file("names.npy"),
            out -> {
              Npy.writeHeader(out, "<U4", "2,");
              out.write(new byte[32]);
            });
    query.set("--exclude", file);
    assertRejected(DATA, "names.npy: type U4, expected f2, f4, f8");
    query.set("--exclude", null).set("--labels", file);
    assertRejected(DATA, "names.npy: type U4, expected f2, f4, f8");
    Formats.write(query.file("no.npy"), out -> Npy.write(out, new long[] {3, 40}));
    query.set("--labels", query.file("labels.csv")).set("--exclude", query.file("no.npy"));
    assertRejected(DATA, "no.npy: value 1 is 40, expected a row of the pool, 0 to 39.");
  }

  @Test
  void rejectsMissingAndDuplicateColumns() {
    query.set("--labels", null).set("--head", null).set("--strategy", "coreset").set("--budget", 1);
    query.set("--embeddings", Formats.text(query.file("p.csv"), "id,f0,f2,f3\na,1,2,3\n"));
    assertRejected(DATA, "p.csv: column f1 is missing, but there are 3 columns of that kind");
    query.set("--embeddings", Formats.text(query.file("p.csv"), "id,f0,f0\na,1,2\n"));
    assertRejected(DATA, "p.csv: duplicate column 'f0'.");
  }

  @Test
  void rejectsImplausibleClassNumbers() {
    query.set("--head", null);
    Formats.text(query.file("labels.csv"), "id,label\n0,5\n1,1000000\n2,1\n");
    assertRejected(
        DATA, "labels.csv, line 3: class 1000000, expected consecutive class numbers from 0");
    Formats.text(query.file("labels.csv"), "id,label\n0,2147483647\n1,1\n");
    assertRejected(DATA, "labels.csv, line 2: class 2147483647");
  }

  @Test
  void rejectsChoicesOfTwoLabelStudioControls() {
    String task =
        "{\"data\": {\"alfamix_id\": \"%d\"}, \"annotations\": [{\"result\": [{\"type\":"
            + " \"choices\", \"from_name\": \"%s\", \"value\": {\"choices\": [\"1\"]}}]}]}";
    Formats.text(
        query.file("export.json"),
        "[" + task.formatted(3, "label") + "," + task.formatted(4, "quality") + "]");
    query.set("--labels", query.file("export.json"));
    assertRejected(
        DATA,
        "export.json, task 1: found choices of two controls, 'label' and 'quality'; expected one"
            + " control; name the labelling control with --label-column.");
    query.set("--label-column", "label").set("--output", null).set("--manifest", null);
    assertEquals(0, query.run().code());
  }

  @Test
  void rejectsOutputsThatOverwriteInputsOrOutputs() throws IOException {
    query.set("--output", query.file("labels.csv"));
    assertUnwritable("labels.csv is already used as an input or another output");
    query.set("--output", query.file("a.csv")).set("--candidates", query.file("a.csv"));
    assertUnwritable("a.csv is already used as an input or another output");
    query.set("--candidates", null);
    query.set("--output", Files.createSymbolicLink(query.file("l.npy"), query.file("pool.npy")));
    assertUnwritable("l.npy is already used as an input or another output");
    Files.copy(query.file("pool.npy"), Files.createDirectory(query.file("parts")).resolve("a.npy"));
    query.set("--embeddings", query.file("parts")).set("--output", query.file("parts/a.npy"));
    assertUnwritable("a.npy is already used as an input or another output");
    query.set("--embeddings", query.file("pool.npy"));
    query.set("--output", null).set("--manifest", "-");
    assertUnwritable("require a file name, got '-'.");
    query.set("--manifest", null).set("--candidates", query.file("c.parquet"));
    assertUnwritable("c.parquet, expected a .csv or .npy file.");
    query.set("--candidates", null).set("--output", query.file("picks.csv.gz"));
    assertUnwritable("picks.csv.gz: expected the extension .csv, .jsonl, .parquet, .npy or .json");
  }

  @Test
  void rejectsNumbersBeyondFloat32() {
    query.set("--labels", null).set("--head", null).set("--strategy", "coreset").set("--budget", 1);
    Formats.write(
        query.file("pool.npy"),
        out -> {
          Npy.writeHeader(out, "<f8", "1, 1");
          out.write(
              java.nio.ByteBuffer.allocate(8)
                  .order(java.nio.ByteOrder.LITTLE_ENDIAN)
                  .putDouble(1e50)
                  .array());
        });
    assertRejected(DATA, "pool.npy: 1.0E50 at index 0 exceeds the range of float32");
  }

  @Test
  void rejectsLabelsThatAreLists() {
    query.set(
        "--labels",
        Formats.text(
            query.file("l.jsonl"), "{\"id\": 1, \"label\": 0}\n{\"id\": 2, \"label\": [1]}\n"));
    assertRejected(DATA, "l.jsonl, line 2: column label is a list or an object, expected a string");
    query.set(
        "--labels",
        Formats.text(
            query.file("e.json"),
            "[{\"alfamix_id\": \"1\", \"kind\": \"0\", \"annotation_id\": 4}]"));
    assertRejected(DATA, "e.json, task 0: the task is annotated, but has no field 'label'");
  }

  @Test
  void rejectsTextThatIsNotUtf8() throws IOException {
    byte[] latin1 =
        "id,label\n0,caf\u00e9\n".getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    Files.write(query.file("labels.csv"), latin1);
    assertRejected(DATA, "labels.csv, line 2: expected text in UTF-8;");
    query.set("--labels", null).set("--exclude", query.file("no.txt"));
    query.set("--strategy", "random");
    Files.write(query.file("no.txt"), latin1);
    assertRejected(DATA, "no.txt: expected text in UTF-8.");
  }

  @Test
  void rejectsLinesThatAreNotOneJsonObject() {
    query.set(
        "--labels", Formats.text(query.file("l.jsonl"), "{\"id\": 1, \"label\": 0} {\"id\": 2}\n"));
    assertRejected(DATA, "l.jsonl, line 1: expected one JSON object, found more content after it.");
    query.set("--labels", Formats.text(query.file("l.jsonl"), "{\"id\": 1, \"label\"\n"));
    assertRejected(DATA, "l.jsonl, line 1: invalid JSON: ");
  }

  @Test
  void reportsFailedQueries() {
    query.set("--embeddings", null).set("--embeddings-sql", "SELECT * FROM 'none.parquet'");
    assertRejected(
        DATA,
        "SQL query failed: IO Error: No files found that match the pattern" + " \"none.parquet\".");
    query.set("--embeddings-sql", "SELEC 1");
    assertRejected(DATA, "SQL query failed: Parser Error: syntax error at or near");
    query.set(
        "--embeddings-sql", "SELECT (i || 'x')::INT AS id, [1.0] AS embedding FROM range(9) t(i)");
    assertRejected(
        DATA, "SQL query, row 0: Conversion Error: Could not convert string '0x' to INT32");
    query.set("--embeddings-sql", "SELECT 1 AS id, NULL AS embedding");
    assertRejected(DATA, "SQL query, row 0: column embedding is not a list of numbers.");
    query.set("--embeddings-sql", "SELECT 1 AS id, [1.0, NULL] AS embedding");
    assertRejected(
        DATA, "SQL query, row 0: column embedding has null at index 1, expected a finite number.");
  }
}
