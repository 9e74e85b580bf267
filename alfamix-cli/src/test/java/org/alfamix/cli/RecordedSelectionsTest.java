package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Compares the picks, scores, reasons and manifests of more than 200 selections with a recording,
 * so that refactoring cannot change results unnoticed.
 *
 * <p>The build runs this class on the scalar kernels, whose results do not depend on the vector
 * width of the processor. {@code -Dalfamix.record=yes} replaces the recording.
 */
class RecordedSelectionsTest {
  private static final Path RECORDING = Path.of("src/test/resources/recorded/selections.txt.gz");
  private static final int SIZE = 240;
  private static final int FEATURES = 5;
  private static final int CLASSES = 4;
  private static final int LABELLED = 30;

  /** Math.exp and Math.log may differ in the last bit between processors. */
  private static final double TOLERANCE = 1e-5;

  private static final Pattern NUMBER = Pattern.compile("-?\\d+(?:\\.\\d+)?(?:E-?\\d+)?");

  private static final List<String> STRATEGIES =
      List.of(
          "random",
          "entropy",
          "least-confidence",
          "margin",
          "bald samples=3",
          "bald samples=3 precision=single",
          "dfal",
          "coreset",
          "cdal",
          "gcnal steps=10",
          "gcnal steps=10 picks=uncertain",
          "badge",
          "alfamix",
          "alfamix alpha=random",
          "alfamix alpha=projected-gradient",
          "alfamix alpha=projected-gradient alphaBound=norm",
          "alfamix anchors=random-items",
          "alfamix anchors=none",
          "alfamix anchors=none-relative",
          "alfamix picks=kmeans-plus-plus",
          "alfamix picks=uniform",
          "alfamix picks=smallest-norm",
          "alfamix picks=largest-divergence",
          "alfamix capStep=0.01",
          "alfamix capStep=0.01 grow=false",
          "alfamix capStep=0.01 maxCap=0.02 restarts=2");

  @TempDir private Path folder;

  private FloatMatrix pool;
  private FloatMatrix weight;
  private final float[] bias = {0.1f, -0.2f, 0, 0.3f};
  private final int[] labels = new int[LABELLED];
  private final Map<String, String> found = new LinkedHashMap<>();
  private int cases;

  @BeforeEach
  void createData() {
    SplittableRandom random = new SplittableRandom(7);
    pool = FloatMatrix.zeros(SIZE, FEATURES);
    for (int i = 0; i < SIZE; i++) {
      for (int d = 0; d < FEATURES; d++) {
        pool.set(i, d, (float) ((d == i % CLASSES ? 1.5 : 0) + random.nextGaussian()));
      }
    }
    weight = FloatMatrix.zeros(CLASSES, FEATURES);
    for (int k = 0; k < CLASSES; k++) {
      for (int d = 0; d < FEATURES; d++) {
        weight.set(k, d, (float) ((k == d ? 1 : 0) + 0.3 * random.nextGaussian()));
      }
    }
    for (int i = 0; i < LABELLED; i++) {
      labels[i] = (SIZE - LABELLED + i) % CLASSES;
    }
  }

  @Test
  void selectionsMatchTheRecording() throws IOException {
    assumeTrue(Kernels.description().startsWith("scalar"), "recorded on the scalar kernels");
    selectWithEveryStrategy();
    selectFromEveryFormat();
    selectWithEveryOption();
    assertTrue(found.size() >= 200, found.size() + " cases");
    if (System.getProperty("alfamix.record") != null) {
      write();
    }
    Map<String, String> recorded = recording();
    assertEquals(List.copyOf(recorded.keySet()), List.copyOf(found.keySet()));
    found.forEach((name, text) -> assertClose(name, recorded.get(name), text));
  }

  private void selectWithEveryStrategy() throws IOException {
    for (String strategy : STRATEGIES) {
      for (String head : List.of("npz", "none")) {
        select("npy", "csv", head, strategy, "");
        // A cap requires predictions, and these strategies do not fit a head.
        if (head.equals("npz") || !strategy.matches("random|coreset|gcnal.*")) {
          select("npy", "csv", head, strategy, "--per-class-cap 2");
        }
      }
      select("npy", "csv", "npz", strategy, "--budget 40 --seed 2");
    }
  }

  private void selectFromEveryFormat() throws IOException {
    for (String format : Formats.POOLS) {
      select(format, "csv", "npz", "alfamix", "");
      select(format, "jsonl", "npz", "coreset", "--per-class-cap 2");
      select(format, "parquet", "safetensors", "badge", "--normalize");
    }
    for (String labelFormat : Formats.LABELS) {
      for (String head : Formats.HEADS) {
        select("npy", labelFormat, head, "alfamix", "");
      }
      select("csv-list", labelFormat, "none", "margin", "");
    }
  }

  private void selectWithEveryOption() throws IOException {
    FloatMatrix probabilities = FloatMatrix.zeros(SIZE, CLASSES);
    for (int i = 0; i < SIZE; i++) {
      for (int k = 0; k < CLASSES; k++) {
        probabilities.set(i, k, k == i % CLASSES ? 0.4f : 0.2f);
      }
      probabilities.set(i, 0, probabilities.get(i, 0) + i / 4096f);
      probabilities.set(i, 1, probabilities.get(i, 1) - i / 4096f);
    }
    Path given = folder.resolve("probabilities.npy");
    Formats.write(given, out -> Npy.write(out, probabilities));
    for (String strategy : List.of("entropy", "margin", "cdal", "badge")) {
      select("npy", "csv", "none", strategy, "--probabilities " + given);
    }
    Path excluded = Formats.text(folder.resolve("excluded.txt"), "3\n17\n100\n");
    for (String strategy : List.of("random", "coreset", "alfamix", "gcnal steps=5")) {
      select("npy", "csv", "npz", strategy, "--exclude " + excluded);
      select("npy", "csv", "npz", strategy, "--seed 5 --normalize");
      select("npy", "csv", "npz", strategy, "--classes ant,bee,cat,dog");
    }
    for (String format : List.of("csv", "jsonl", "label-studio")) {
      select("npy", "csv", "npz", "alfamix", "--format " + format);
      select("csv-list", "csv", "npz", "entropy", "--format " + format);
    }
    select("npy", "csv", "npz", "alfamix", "--explain 5 --explain 200");
    select("npy", "csv", "npz", "coreset", "--explain 5 --budget 210");
  }

  private void select(
      String poolFormat, String labelFormat, String headFormat, String strategy, String more)
      throws IOException {
    String name =
        String.join(" | ", poolFormat, labelFormat, headFormat, strategy, more)
            .replace(folder.toString(), "FOLDER");
    if (found.containsKey(name)) {
      return;
    }
    Path here = Files.createDirectory(folder.resolve("case-" + cases++));
    List<String> args = new ArrayList<>(List.of("select"));
    args.addAll(List.of(Formats.pool(poolFormat, pool, here)));
    args.add("--labels");
    args.add(
        Formats.labels(labelFormat, row -> Formats.id(poolFormat, row), SIZE, labels, here)
            .toString());
    if (!headFormat.equals("none")) {
      args.addAll(List.of(Formats.head(headFormat, weight, bias, here)));
    }
    String[] parts = strategy.split(" ");
    args.addAll(List.of("--strategy", parts[0]));
    for (int i = 1; i < parts.length; i++) {
      args.addAll(List.of("--option", parts[i]));
    }
    if (!more.contains("--budget")) {
      args.addAll(List.of("--budget", "8"));
    }
    Path manifest = here.resolve("manifest.json");
    args.addAll(List.of("--quiet", "--manifest", manifest.toString()));
    args.addAll(more.isEmpty() ? List.of() : List.of(more.split(" ")));
    CommandOutcome outcome = CommandOutcome.of(args.toArray(String[]::new));
    assertEquals(0, outcome.code(), () -> name + ": " + outcome.err());
    String text = outcome.out() + reproducible(Files.readString(manifest));
    String place = text.replace(here.toString(), "HERE").replace(folder.toString(), "FOLDER");
    found.put(name, place.stripTrailing());
  }

  /** Removes from a manifest the machine, times, and digests of files that contain the time. */
  private static String reproducible(String manifest) {
    return manifest
        .replaceAll("(?m)^  \"(version|java|system|kernels|threads)\" : .*\\R", "")
        .replaceAll("(?s),\\s*\"(seconds|memory)\" : \\{.*", "\n}\n")
        .replaceAll("(?m)(\\.(?:npz|parquet|gz)\",\\s*\"bytes\" : )\\d+,\\s*\"sha256\" : .*", "$1-")
        .replaceAll("(?m)^ +", "");
  }

  private static Map<String, String> recording() throws IOException {
    Map<String, String> result = new LinkedHashMap<>();
    if (!Files.exists(RECORDING)) {
      return result;
    }
    try (var in = new GZIPInputStream(Files.newInputStream(RECORDING))) {
      String all = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String part : all.substring(1).split("\n#")) {
        int end = part.indexOf('\n');
        result.put(part.substring(1, end), part.substring(end + 1).stripTrailing());
      }
    }
    return result;
  }

  private void write() throws IOException {
    StringBuilder all = new StringBuilder();
    found.forEach((name, text) -> all.append("# ").append(name).append('\n').append(text + "\n"));
    try (var out = new GZIPOutputStream(Files.newOutputStream(RECORDING))) {
      out.write(all.toString().getBytes(StandardCharsets.UTF_8));
    }
  }

  /** Asserts equal text, with numbers that are equal up to rounding. */
  private static void assertClose(String name, String expected, String actual) {
    assertEquals(
        NUMBER.matcher(expected).replaceAll("0"), NUMBER.matcher(actual).replaceAll("0"), name);
    Matcher then = NUMBER.matcher(expected);
    Matcher now = NUMBER.matcher(actual);
    while (then.find() && now.find()) {
      double was = Double.parseDouble(then.group());
      double is = Double.parseDouble(now.group());
      if (!then.group().equals(now.group())) {
        assertTrue(then.group().contains(".") || now.group().contains("."), name + ": " + actual);
        assertEquals(was, is, TOLERANCE * Math.max(1e-3, Math.abs(was)), name);
      }
    }
  }
}
