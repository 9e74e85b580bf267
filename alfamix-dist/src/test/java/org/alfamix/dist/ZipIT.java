package org.alfamix.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipFile;
import javax.imageio.ImageIO;
import org.alfamix.dist.Installation.Outcome;
import org.alfamix.video.TinyVideos;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the unpacked zip on a machine with Java only. */
@Tag("slow")
class ZipIT {
  @TempDir private static Path folder;
  private static Path home;

  @BeforeAll
  static void unpack() throws IOException {
    home = Installation.unpack(folder, System.getProperty("alfamix.zip")).home();
  }

  private static Outcome run(String... args) throws IOException, InterruptedException {
    return run(Map.of(), home, args);
  }

  private static Outcome run(Map<String, String> variables, Path home, String... args)
      throws IOException, InterruptedException {
    return new Installation(folder, home).run(variables, args);
  }

  @Test
  void selectsFromArraysAndWritesParquet() throws Exception {
    assertEquals(0, run("example", "try").code());
    String[] select = {
      "select",
      "--embeddings",
      "try/pool.npy",
      "--labels",
      "try/labels.csv",
      "--head",
      "try/head.npz",
      "--budget",
      "5"
    };
    Outcome first = run(select);
    assertEquals(0, first.code(), first.out());
    assertEquals(6, first.out().lines().count(), first.out());
    assertTrue(first.out().startsWith("id,rank,score,cluster,predicted,reason\n"), first.out());
    assertEquals(first.out(), run(select).out());
    try (Stream<Path> lib = Files.list(home.resolve("lib"))) {
      assertTrue(
          lib.anyMatch(file -> file.toString().endsWith(".jsa")),
          "the first run archives the classes");
    }
    Outcome parquet =
        run(
            "select",
            "--embeddings-sql",
            "SELECT id, embedding::FLOAT[] AS embedding FROM 'try/pool.csv'",
            "--labels",
            "try/labels-by-id.csv",
            "--budget",
            "5",
            "--output",
            "picks.parquet");
    assertEquals(0, parquet.code(), parquet.out());
    assertTrue(Files.size(folder.resolve("picks.parquet")) > 0);
    Outcome version = run("--version");
    assertTrue(version.out().contains("kernels vector"), version.out());
  }

  /** A script contains the special characters, because this Java process may not use UTF-8. */
  @Test
  void acceptsNonAsciiCharactersInAnyLocale() throws Exception {
    assertEquals(0, run("example", "letters").code());
    Path script =
        Files.writeString(
            folder.resolve("letters.sh"),
            """
            cp letters/pool.npy letters/käfer.npy
            bash "$1" select --embeddings letters/käfer.npy --labels letters/labels.csv --budget 1 \
              --head letters/head.npz --format label-studio --task-data 'image=http://x/Käfer/{id}' \
              --classes 'null,eins,zwei,drei,vier,fünf,sechs,sieben,acht,neun'
            """);
    ProcessBuilder builder =
        new ProcessBuilder("bash", script.toString(), home + "/bin/alfamix")
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), out);
    assertTrue(out.contains("http://x/K\u00e4fer/"), out);
  }

  @Test
  void javaOptionsAcceptQuotesAndDoNotExpandPatterns() throws Exception {
    Map<String, String> options =
        Map.of("JAVA_OPTS", "-Dalfamix.one='a  b' -Dalfamix.two=* \"-XX:+PrintFlagsFinal\"");
    Outcome outcome = run(options, home, "strategies");
    assertEquals(0, outcome.code(), outcome.out());
    assertTrue(outcome.out().contains("MaxHeapSize"), "Java received the last option");
    Outcome blank = run(Map.of("JAVA_OPTS", "  "), home, "strategies");
    assertEquals(0, blank.code(), blank.out());
  }

  @Test
  void rejectsAFolderWithAColonInOneLine(@TempDir Path other) throws Exception {
    Path colon = Files.createDirectory(other.resolve("a:b"));
    Files.createDirectory(colon.resolve("bin"));
    Files.copy(home.resolve("bin/alfamix"), colon.resolve("bin/alfamix"));
    Outcome rejected = run(Map.of(), colon, "strategies");
    assertEquals(1, rejected.code());
    assertTrue(rejected.out().contains("has a colon in its name"), rejected.out());
    assertEquals(1, rejected.out().lines().count());
  }

  @Test
  void reportsAFullStandardOutputOnce() throws Exception {
    assumeTrue(Files.exists(Path.of("/dev/full")), "requires /dev/full");
    assertEquals(0, run("example", "full").code());
    Process process =
        new ProcessBuilder(
                "bash",
                "-c",
                "bash \"$0\" select --embeddings full/pool.npy --labels full/labels.csv --head"
                    + " full/head.npz --budget 3 >/dev/full",
                home + "/bin/alfamix")
            .directory(folder.toFile())
            .start();
    process.getOutputStream().close();
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(4, process.waitFor(), err);
    assertEquals("alfamix: standard output cannot be written: No space left on device.\n", err);
  }

  @Test
  void containsTheStudio() throws Exception {
    Outcome created = run("studio", "new", "demo", "--data", "digits", "--home", "studio");
    assertEquals(0, created.code(), created.out());
    Outcome listed = run("studio", "list", "--home", "studio");
    assertTrue(listed.out().contains("0 of 1,618 items labelled"), listed.out());
  }

  /** The zip contains the job, but not Spark; without Spark, the command reports an error. */
  @Test
  void containsAJobForSpark() throws Exception {
    Path job = home.resolve("lib/spark/alfamix-spark-job.jar");
    try (ZipFile zip = new ZipFile(job.toFile())) {
      assertTrue(zip.stream().anyMatch(entry -> entry.getName().endsWith("BatchSelector.class")));
      assertFalse(zip.stream().anyMatch(entry -> entry.getName().matches("(scala|org/apache)/.*")));
      assertFalse(zip.stream().anyMatch(entry -> entry.getName().endsWith(".gz")), "data sets");
    }
    Outcome rejected = run("spark", "select", "--embeddings", "pool.parquet", "--budget", "5");
    assertEquals(1, rejected.code(), rejected.out());
    assertTrue(rejected.out().startsWith("alfamix: Spark was not found; set SPARK_HOME"));
    assertEquals(1, rejected.out().lines().count(), rejected.out());
  }

  @Test
  void containsTheCommandsWithoutLargeLibraries() throws IOException {
    try (Stream<Path> lib = Files.list(home.resolve("lib"))) {
      List<String> names = lib.map(file -> file.getFileName().toString()).sorted().toList();
      for (String part :
          new String[] {
            "alfamix-core",
            "alfamix-io",
            "alfamix-datasets",
            "alfamix-select",
            "alfamix-learn",
            "alfamix-lab",
            "alfamix-cli"
          }) {
        assertTrue(names.stream().anyMatch(name -> name.startsWith(part)), part);
      }
      assertFalse(
          names.stream().anyMatch(name -> name.matches(".*(torch|spark-|openblas|jmh).*")),
          names.toString());
    }
    for (String file :
        new String[] {
          "README.md",
          "LICENSE",
          "NOTICE",
          "docs/guide/select.md",
          "docs/guide/lab.md",
          "bin/alfamix.bat"
        }) {
      assertTrue(Files.exists(home.resolve(file)), file);
    }
  }

  /** Features of an ONNX model need only this zip, without libtorch. */
  @Test
  void onnxZipAddsOnnx() throws Exception {
    assertEmbeds(
        "onnx",
        List.of("alfamix.zip"),
        () -> {
          for (String name : List.of("a/1.png", "a/2.png", "b/3.png", "b/4.png")) {
            Path image = folder.resolve("items").resolve(name);
            Files.createDirectories(image.getParent());
            BufferedImage black = new BufferedImage(20, 20, BufferedImage.TYPE_INT_RGB);
            ImageIO.write(black, "png", image.toFile());
          }
        });
  }

  /** The encoder of texts is in the zip for ONNX; without it, n-grams still work. */
  @Test
  void onnxZipAddsTheEncoderOfTexts() throws Exception {
    Path other = Files.createDirectories(folder.resolve("texts"));
    Path mainHome = home;
    Path before = folder;
    try {
      folder = other;
      Installation.unpackInto(folder, System.getProperty("alfamix.zip"));
      home = other.resolve(mainHome.getFileName());
      Files.writeString(
          other.resolve("texts.csv"),
          "id,text,team\n1,wrong invoice,a\n2,no paper,b\n3,an invoice,\n4,paper please,\n");
      String select =
          "select --texts texts.csv --label-column team --budget 1 --strategy margin --data-dir"
              + " data";
      Outcome without = run(select.split(" "));
      assertEquals(3, without.code(), without.out());
      assertTrue(without.out().contains("'onnx' in its name"), without.out());
      assertTrue(without.out().contains("--features"), without.out());
      Outcome doctor = run("doctor");
      assertTrue(doctor.out().contains("texts, ONNX      not installed"), doctor.out());
      assertTrue(
          doctor
              .out()
              .contains("- For texts, ONNX, unpack the alfamix zip with 'onnx' in its name"),
          doctor.out());
      Outcome ngrams = run((select + " --features ngrams").split(" "));
      assertEquals(0, ngrams.code(), ngrams.out());
      Installation.unpackInto(folder, System.getProperty("alfamix.onnx.zip"));
      Outcome with = run(select.split(" "));
      assertEquals(0, with.code(), with.out());
      assertTrue(with.out().contains("id,rank,score,cluster,predicted,reason,text"), with.out());
    } finally {
      folder = before;
      home = mainHome;
    }
  }

  /** Features of videos need only ONNX Runtime, without libtorch. */
  @Test
  void videoZipAddsVideos() throws Exception {
    assertEmbeds(
        "video",
        List.of("alfamix.zip", "alfamix.onnx.zip"),
        () -> {
          for (String name : List.of("a/1.avi", "a/2.avi", "b/3.avi", "b/4.avi")) {
            TinyVideos.avi(folder.resolve("items").resolve(name), 8, Color.BLUE);
          }
        });
  }

  /** Writes the items of a data set. */
  @FunctionalInterface
  private interface ItemWriter {
    void write() throws IOException;
  }

  /**
   * Computes features of items in a separate folder. Without the zip of a module, the command
   * reports an error; with it, it writes pool.npy.
   *
   * @param zips the zips that are unpacked first
   */
  private void assertEmbeds(String module, List<String> zips, ItemWriter items) throws Exception {
    Path other = Files.createDirectories(folder.resolve(module));
    Path mainHome = home;
    Path before = folder;
    try {
      folder = other;
      for (String zip : zips) {
        Installation.unpackInto(folder, System.getProperty(zip));
      }
      home = other.resolve(mainHome.getFileName());
      items.write();
      Path model = Path.of("..", "alfamix-onnx", "src", "test", "resources", "onnx", "small.onnx");
      Files.copy(model, other.resolve("small.onnx"));
      String[] embed =
          "embed --data items --backbone small.onnx --image-size 16 --output features --data-dir data"
              .split(" ");
      Outcome without = run(embed);
      assertEquals(3, without.code(), without.out());
      assertTrue(without.out().contains("alfamix-" + module), without.out());
      Installation.unpackInto(folder, System.getProperty("alfamix.%s.zip".formatted(module)));
      Outcome with = run(embed);
      assertEquals(0, with.code(), with.out());
      assertTrue(Files.exists(other.resolve("features").resolve("pool.npy")), with.out());
    } finally {
      folder = before;
      home = mainHome;
    }
  }

  /** Without this zip, the command reports an error; with it, networks are trained. */
  @Test
  void torchZipAddsNetworks() throws Exception {
    String[] train = {
      "train",
      "--data",
      "digits",
      "--labelled",
      "100",
      "--epochs",
      "20",
      "--output",
      "model.safetensors"
    };
    Path torch = Path.of(System.getProperty("alfamix.torch.zip"));
    // In a separate folder, because other tests check the contents of the main zip.
    Path other = Files.createDirectories(folder.resolve("networks"));
    Path mainHome = home;
    Path before = folder;
    try {
      folder = other;
      Installation.unpackInto(folder, System.getProperty("alfamix.zip"));
      home = other.resolve(mainHome.getFileName());
      Outcome without = run(train);
      assertEquals(3, without.code(), without.out());
      assertTrue(without.out().contains("alfamix-torch"), without.out());
      assertEquals(1, without.out().lines().count(), without.out());
      Outcome settings = run("lab", "settings");
      assertEquals(0, settings.code(), settings.out());
      assertTrue(settings.out().contains("not available: networks"), settings.out());
      Installation.unpackInto(folder, torch.toString());
      Outcome with = run(train);
      assertEquals(0, with.code(), with.out());
      assertTrue(with.out().contains("test accuracy"), with.out());
      assertEquals(0, run("embed", "--checkpoint", "model.safetensors", "--output", "out").code());
      Outcome select =
          run(
              "select",
              "--embeddings",
              "out/pool.npy",
              "--labels",
              "out/labels.csv",
              "--head",
              "out/head.npz",
              "--budget",
              "5");
      assertEquals(0, select.code(), select.out());
      assertEquals(6, select.out().lines().count(), select.out());
      Outcome lab =
          run(
              "lab",
              "run",
              "digits-mlp",
              "--seeds",
              "1",
              "--rounds",
              "1",
              "--strategies",
              "random");
      assertEquals(0, lab.code(), lab.out());
      Outcome report = run("lab", "report", "runs");
      assertEquals(0, report.code(), report.out());
      assertTrue(Files.size(folder.resolve("report.html")) > 10_000);
    } finally {
      folder = before;
      home = mainHome;
    }
  }
}
