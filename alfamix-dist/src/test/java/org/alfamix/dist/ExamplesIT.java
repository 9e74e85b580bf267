package org.alfamix.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.dist.Installation.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Builds each example in a copy of its folder, with installed artifacts of alfamix only, and uses
 * the plug-in by name everywhere.
 */
@Tag("slow")
class ExamplesIT {
  private static final Path ROOT = ReleaseBuild.ROOT;

  @TempDir private static Path folder;
  private static Path plugin;
  private static Map<String, String> withPlugin;
  private static Installation alfamix;

  @BeforeAll
  static void installAndBuild() throws Exception {
    Path repository = ReleaseBuild.repository();
    for (String example : List.of("library", "plug-in", "spark")) {
      copy(ROOT.resolve("examples").resolve(example), folder.resolve(example));
      ReleaseBuild.maven(repository, folder.resolve(example), "package");
    }
    plugin = folder.resolve("plug-in/target/alfamix-plug-in-example.jar");
    withPlugin = Map.of("ALFAMIX_PLUGINS", plugin.toString());
    alfamix =
        Installation.unpack(
            Files.createDirectory(folder.resolve("installed")),
            System.getProperty("alfamix.zip"),
            System.getProperty("alfamix.torch.zip"));
    assertEquals(0, run("example", "try").code());
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path relative = from.relativize(file);
        if (!relative.startsWith("target")) {
          Files.copy(file, to.resolve(relative.toString()));
        }
      }
    }
  }

  private static Outcome java(Path example, String classPath, List<String> flags, String... main)
      throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(flags);
    command.addAll(List.of("-cp", classPath));
    command.addAll(List.of(main));
    return Installation.run(command, Map.of(), example);
  }

  private static Outcome run(String... args) throws Exception {
    return alfamix.run(withPlugin, args);
  }

  @Test
  void theLibraryIsUsedByAProgram() throws Exception {
    Path example = folder.resolve("library");
    String classPath =
        example.resolve("target/alfamix-library-example.jar")
            + ":"
            + Files.readString(example.resolve("target/class-path"));
    Outcome outcome =
        java(
            example,
            classPath,
            List.of("--add-modules=jdk.incubator.vector"),
            "com.example.SelectFromArrays");
    assertEquals(0, outcome.code(), outcome.out());
    assertEquals(5, outcome.out().lines().filter(line -> line.startsWith("item ")).count());
    assertTrue(outcome.out().contains("flips to"), outcome.out());
  }

  @Test
  void theLibraryWorksOnTheModulePath() throws Exception {
    Path example = folder.resolve("library");
    List<String> flags = new ArrayList<>();
    flags.add("--module-path=" + Files.readString(example.resolve("target/class-path")));
    flags.add("--add-modules=org.alfamix.select,jdk.incubator.vector");
    Outcome outcome =
        java(
            example,
            example.resolve("target/alfamix-library-example.jar").toString(),
            flags,
            "com.example.SelectFromArrays",
            alfamix.folder().resolve("try/pool.npy").toString());
    assertEquals(0, outcome.code(), outcome.out());
    assertEquals(5, outcome.out().lines().filter(line -> line.startsWith("item ")).count());
    assertEquals(3, outcome.out().lines().filter(line -> line.startsWith("row ")).count());
  }

  @Test
  void strategiesAndSelectKnowThePlugin() throws Exception {
    assertTrue(run("strategies").out().contains("smallest-norm"));
    String[] select = {
      "select", "--embeddings", "try/pool.npy", "--strategy", "smallest-norm", "--budget", "3"
    };
    Outcome picks = run(select);
    assertEquals(0, picks.code(), picks.out());
    assertTrue(picks.out().contains("its embedding has a length of only"), picks.out());
    Outcome without = alfamix.run(Map.of(), select);
    assertEquals(2, without.code(), without.out());
    assertTrue(without.out().contains("--strategy is 'smallest-norm', expected one of random"));
  }

  @Test
  void theLabKnowsThePlugin() throws Exception {
    Files.writeString(
        alfamix.folder().resolve("moons.yaml"),
        """
        title: "Two moons with a learner on Tribuo"
        data: two-moons
        network: tribuo-logistic
        initial: 10
        budget: 10
        rounds: 2
        strategies: [random, smallest-norm]
        seeds: 1
        """);
    Outcome lab = run("lab", "run", "moons.yaml", "--runs", "runs");
    assertEquals(0, lab.code(), lab.out());
    assertTrue(lab.out().matches("(?s).*\\n  smallest-norm +\\d+\\.\\d +\\d+\\.\\d.*"), lab.out());
    assertTrue(run("networks").out().contains("tribuo-logistic"));
    assertTrue(run("networks").out().contains("resnet18"), "both engines");
    assertTrue(run("data", "list", "two-moons").out().contains("half circles"));
  }

  @Test
  void theStudioKnowsThePlugin() throws Exception {
    Outcome created =
        run("studio", "new", "p", "--data", "digits", "--strategy", "smallest-norm", "--home", "s");
    assertEquals(0, created.code(), created.out());
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    ProcessBuilder builder =
        new ProcessBuilder(
                "bash",
                alfamix.home() + "/bin/alfamix",
                "studio",
                "serve",
                "--home",
                "s",
                "--port",
                Integer.toString(port))
            .directory(alfamix.folder().toFile())
            .redirectErrorStream(true);
    builder.environment().put("ALFAMIX_PLUGINS", plugin.toString());
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    Process studio = builder.start();
    try {
      String first = studio.inputReader().readLine();
      assertTrue(first != null && first.contains("http://"), first);
      String page =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/p/p/dashboard"))
                      .build(),
                  BodyHandlers.ofString())
              .body();
      assertTrue(
          page.replaceAll("\\s+", " ")
              .contains("selected>smallest-norm: shortest embeddings</option>"),
          page);
    } finally {
      studio.destroy();
      assertTrue(studio.waitFor(30, TimeUnit.SECONDS));
    }
  }

  /** As with spark-submit: Spark's class loader has the jars of Spark only. */
  @Test
  void sparkKnowsThePlugin() throws Exception {
    Path example = folder.resolve("spark");
    String sparkJars =
        Stream.of(Files.readString(example.resolve("target/class-path")).strip().split(":"))
            .filter(jar -> !jar.contains("/org/alfamix/"))
            .collect(Collectors.joining(":"));
    List<String> flags = new ArrayList<>();
    flags.add("-Xmx1g");
    flags.add("--add-modules=jdk.incubator.vector");
    flags.add("@" + ROOT.resolve("alfamix-cli/src/main/launcher/spark.args"));
    flags.add("-Dlog4j2.configurationFile=org/apache/spark/log4j2-defaults.properties");
    flags.add("--add-opens=java.base/sun.security.action=ALL-UNNAMED");
    Outcome outcome =
        java(
            example,
            sparkJars,
            flags,
            "org.apache.spark.deploy.SparkSubmit",
            "--master",
            "local[1]",
            "--jars",
            plugin.toString(),
            "--class",
            "com.example.SelectOnSpark",
            "target/alfamix-spark-example.jar",
            "smallest-norm");
    assertEquals(0, outcome.code(), outcome.out());
    assertTrue(outcome.out().contains("|id "), outcome.out());
    assertEquals(10, outcome.out().lines().filter(line -> line.matches("\\|\\d+ *\\|.*")).count());
  }

  @Test
  void theSameJarTwiceIsOnePlugin() throws Exception {
    Path copy = Files.copy(plugin, folder.resolve("copy.jar"));
    // The same classes twice are one plug-in, as when a folder of jars contains a file twice.
    Outcome twice =
        alfamix.run(Map.of("ALFAMIX_PLUGINS", plugin + ":" + copy), "strategies", "smallest-norm");
    assertEquals(0, twice.code(), twice.out());
  }
}
