package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.datasets.EmbeddedTable;
import org.alfamix.datasets.Table;
import org.alfamix.io.array.Npy;
import org.alfamix.math.FloatMatrix;
import org.alfamix.select.Batch;
import org.alfamix.select.BatchFormat;
import org.alfamix.select.BatchWriter;
import org.alfamix.select.HeadReader;
import org.alfamix.select.Labels;
import org.alfamix.select.Pool;
import org.alfamix.select.PoolReader;
import org.alfamix.select.Query;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs all commands of the guides, each guide in order and in one folder, as a reader would. */
@Tag("slow")
class GuideTest {
  private static final Path GUIDE = Path.of("..", "docs", "guide", "select.md");
  private static final Pattern COMMANDS = Pattern.compile("```sh\n(.*?)```", Pattern.DOTALL);

  @TempDir private Path folder;

  @Test
  void runsAllCommandsOfTheSelectGuide() throws Exception {
    writeFilesOfTheGuide();
    List<String> blocks = commands(GUIDE);
    assertTrue(blocks.size() >= 10, "too few commands in the guide");
    for (String block : blocks) {
      assertTrue(block.lines().noneMatch(line -> line.startsWith("./")), block);
      run(block);
    }
    assertTrue(Files.exists(folder.resolve("picks.parquet")));
    assertTrue(Files.readString(folder.resolve("tasks.json")).contains("images.example.org"));
    assertEquals(100, Npy.open(folder.resolve("picks.npy")).size());
  }

  /** Runs all commands of docs/guide/train.md, on letters and on a table of flowers. */
  @Test
  void runsAllCommandsOfTheTrainingGuide() throws Exception {
    StringBuilder flowers = new StringBuilder("petal,species,sepal\n");
    for (int i = 0; i < 100; i++) {
      String species = i % 3 > 0 ? "" : i % 2 == 0 ? "rose" : "daisy";
      flowers.append(i % 10).append(',').append(species).append(',').append(i).append('\n');
    }
    Files.writeString(folder.resolve("flowers.csv"), flowers);
    List<String> blocks = commands(Path.of("..", "docs", "guide", "train.md"));
    assertTrue(blocks.size() >= 5, "too few commands in the guide");
    for (String block : blocks) {
      run(block);
    }
    assertTrue(Files.exists(folder.resolve("third.safetensors")));
    assertEquals(101, Files.readAllLines(folder.resolve("picks.csv")).size());
  }

  /** Runs all commands of docs/guide/lab.md, from a setting to its tables. */
  @Test
  void runsAllCommandsOfTheLabGuide() throws Exception {
    List<String> blocks = commands(Path.of("..", "docs", "guide", "lab.md"));
    assertTrue(blocks.size() >= 5, "too few commands in the guide");
    for (String block : blocks) {
      run(block);
    }
    assertTrue(Files.readString(folder.resolve("report.html")).contains("unclustered"));
    assertTrue(Files.exists(folder.resolve("tables").resolve("ranks.csv")));
    assertTrue(Files.readString(folder.resolve("tables.tex")).contains("unclustered"));
  }

  private static List<String> commands(Path guide) throws IOException {
    return COMMANDS
        .matcher(Files.readString(guide))
        .results()
        .map(match -> match.group(1))
        .toList();
  }

  private void run(String block) throws IOException, InterruptedException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    String function =
        "set -eu\nalfamix() { '%s' --add-modules=jdk.incubator.vector -XX:TieredStopAtLevel=1 -Dalfamix.kernels=scalar -cp '%s' %s \"$@\"; }\n"
            .formatted(java, System.getProperty("java.class.path"), Main.class.getName());
    Process process =
        new ProcessBuilder("bash", "-c", function + block)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes());
    assertEquals(0, process.waitFor(), block + output);
  }

  /** Writes the files that the guide's Python code, a vector store and Label Studio would write. */
  private void writeFilesOfTheGuide() throws IOException {
    Table table = EmbeddedTable.DIGITS.read();
    FloatMatrix features = table.features();
    int size = table.size();
    Formats.write(folder.resolve("features.npy"), out -> Npy.write(out, features));
    Path parts = Files.createDirectory(folder.resolve("parts"));
    Formats.write(parts.resolve("features-0.npy"), out -> Npy.write(out, features.slice(0, 1000)));
    Formats.write(
        parts.resolve("features-1.npy"), out -> Npy.write(out, features.slice(1000, size)));
    long[] labels = new long[size];
    Arrays.setAll(labels, i -> i < 100 ? table.labels()[i] : -1);
    Formats.write(folder.resolve("labels.npy"), out -> Npy.write(out, labels));
    FloatMatrix weight = FloatMatrix.zeros(10, features.columns());
    IntStream.range(0, 100)
        .forEach(
            i -> {
              for (int d = 0; d < weight.columns(); d++) {
                int k = table.labels()[i];
                weight.set(k, d, weight.get(k, d) + features.get(i, d) / 100);
              }
            });
    Formats.bundle(folder.resolve("head.npz"), "weight", weight, "bias", new float[10]);
    Formats.head("fc", weight, new float[10], folder);
    Files.move(folder.resolve("head.safetensors"), folder.resolve("model.safetensors"));
    Files.createDirectory(folder.resolve("vectors"));
    String rows =
        IntStream.range(0, size)
            .mapToObj(
                i ->
                    "{\"id\": \"v%d\", \"embedding\": %s, \"split\": \"%s\"}\n"
                        .formatted(
                            i, Arrays.toString(features.row(i)), i < 1500 ? "train" : "test"))
            .collect(Collectors.joining());
    Path lines = Formats.text(folder.resolve("rows.jsonl"), rows);
    String table1 =
        "(SELECT * FROM read_json('"
            + lines
            + "', columns={id: 'VARCHAR', embedding: 'FLOAT[]', split: 'VARCHAR'}))";
    Formats.sql(
        "COPY " + table1 + " TO '" + folder.resolve("vectors/a.parquet") + "' (FORMAT parquet)");
    Formats.sql(
        "COPY (SELECT id AS key, embedding AS vec FROM "
            + table1
            + ") TO '"
            + folder.resolve("store.parquet")
            + "' (FORMAT parquet)");
    Formats.labels("parquet", row -> "v" + row, 100, firstLabels(table), folder);
    Formats.text(folder.resolve("broken-images.txt"), "v200\nv201\n");
    String export =
        IntStream.range(0, 100)
            .mapToObj(
                i ->
                    "{\"data\": {\"alfamix_id\": \"digit-%04d.png\"}, \"annotations\": [{\"result\": [{\"type\": \"choices\", \"value\": {\"choices\": [\"%d\"]}}]}]}"
                        .formatted(i, table.labels()[i]))
            .collect(Collectors.joining(",\n", "[", "]"));
    Formats.text(folder.resolve("export.json"), export);
  }

  private static int[] firstLabels(Table table) {
    return Arrays.copyOf(table.labels(), 100);
  }

  @Test
  void runsTheSelectionsOfTheReadme() throws Exception {
    List<String> commands =
        Files.readAllLines(Path.of("..", "README.md")).stream()
            .filter(line -> line.matches("\\./alfamix (example|select|train|embed) .*"))
            .filter(line -> !line.matches(".*(photos|clips)/.*")) // user data and downloads
            .toList();
    assertEquals(6, commands.size(), "an example, a network, texts, and a selection from each");
    StringBuilder tickets = new StringBuilder("body,team\n");
    for (int i = 0; i < 60; i++) {
      boolean bill = i % 2 == 0;
      tickets
          .append(bill ? "The bill of customer " : "The printer in room ")
          .append(i)
          .append(bill ? " is wrong," : " has no paper,")
          .append(i < 20 ? bill ? "billing" : "office" : "")
          .append('\n');
    }
    Files.writeString(folder.resolve("tickets.csv"), tickets);
    run(String.join("\n", commands).replace("./alfamix", "alfamix"));
  }

  /** Runs the Java code of the guide, line by line, on the files of the example. */
  @Test
  void runsTheJavaCodeOfTheGuide() throws IOException {
    CommandOutcome.of("example", folder.toString());
    Pool pool = PoolReader.standard().read(folder.resolve("pool.npy").toString());
    Batch batch =
        Query.of(pool)
            .labels(Labels.read(folder.resolve("labels.csv"), pool, null, null))
            .head(HeadReader.read(folder.resolve("head.npz"), pool.features()).head())
            .strategy("alfamix", Map.of("restarts", "3"))
            .budget(100)
            .run();
    BatchWriter.standard().write(batch, BatchFormat.CSV, folder.resolve("picks.csv"));
    assertEquals(101, Files.readAllLines(folder.resolve("picks.csv")).size());
    String guide = Files.readString(Path.of("..", "docs", "guide", "java.md"));
    for (String line :
        new String[] {
          "Pool pool = PoolReader.standard().read(\"pool.npy\");",
          ".labels(Labels.read(Path.of(\"labels.csv\"), pool, null, null))",
          ".head(HeadReader.read(Path.of(\"head.npz\"), pool.features()).head())",
          ".strategy(\"alfamix\", Map.of(\"restarts\", \"3\"))",
          "BatchWriter.standard().write(batch, BatchFormat.CSV, Path.of(\"picks.csv\"));"
        }) {
      assertTrue(guide.contains(line), line);
    }
  }
}
