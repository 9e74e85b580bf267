package org.alfamix.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.alfamix.dist.Installation.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The archive with a Java runtime works without Java, Maven and network settings: the environment
 * contains only a folder with the tools that the launcher calls.
 */
@Tag("slow")
class ArchiveIT {
  /** All programs that the launcher needs. */
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "cat",
          "cut",
          "dirname",
          "getconf",
          "locale",
          "mv",
          "readlink",
          "rm",
          "sed",
          "stty");

  @TempDir private static Path folder;
  private static Path launcher;

  @BeforeAll
  static void unpack() throws Exception {
    Path archive = Path.of(System.getProperty("alfamix.archive"));
    Process tar =
        new ProcessBuilder("tar", "-xzf", archive.toString(), "-C", folder.toString())
            .inheritIO()
            .start();
    assertEquals(0, tar.waitFor());
    try (Stream<Path> entries = Files.list(folder)) {
      launcher = entries.findFirst().orElseThrow().resolve("bin/alfamix");
    }
    Path tools = Files.createDirectories(folder.resolve("tools"));
    for (String tool : TOOLS) {
      for (String path : System.getenv("PATH").split(":")) {
        if (Files.isExecutable(Path.of(path, tool)) && !Files.exists(tools.resolve(tool))) {
          Files.createSymbolicLink(tools.resolve(tool), Path.of(path, tool));
        }
      }
    }
    Files.createDirectories(folder.resolve("home"));
  }

  private static ProcessBuilder command(String... args) {
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
    builder.environment().clear();
    builder.environment().put("PATH", folder.resolve("tools").toString());
    builder.environment().put("HOME", folder.resolve("home").toString());
    return builder;
  }

  private static String run(String... args) throws Exception {
    Process process = command(args).start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes());
    Outcome outcome = new Outcome(process.waitFor(), out);
    assertEquals(0, outcome.code(), String.join(" ", args) + ": " + outcome.out());
    return out;
  }

  @Test
  void noJavaIsOnThePath() throws Exception {
    ProcessBuilder isolated = command("--version");
    isolated.command(folder.resolve("tools/bash").toString(), "-c", "command -v java mvn");
    assertFalse(isolated.start().waitFor() == 0, "Java or Maven is on the path");
  }

  @Test
  void everythingIsInstalled() throws Exception {
    String doctor = run("doctor");
    assertTrue(doctor.contains("/runtime"), doctor);
    assertTrue(doctor.contains("vector ("), doctor);
    assertTrue(doctor.contains("libtorch"), doctor);
    assertFalse(doctor.contains("not installed"), doctor);
  }

  @Test
  void itemsAreSelectedFromArraysAndParquet() throws Exception {
    run("example", "try");
    String csv =
        run(
            "select",
            "--embeddings",
            "try/pool.npy",
            "--labels",
            "try/labels.csv",
            "--budget",
            "3");
    assertTrue(csv.contains("flips to"), csv);
    run(
        "select",
        "--embeddings",
        "try/pool.csv",
        "--labels",
        "try/labels-by-id.csv",
        "--budget",
        "3",
        "--output",
        "picks.parquet");
    assertTrue(Files.size(folder.resolve("picks.parquet")) > 0);
  }

  @Test
  void theDemoTrainsNetworks() throws Exception {
    String demo =
        run(
            "demo",
            "--data",
            "digits",
            "--seeds",
            "1",
            "--rounds",
            "2",
            "--strategies",
            "random,alfamix",
            "--output",
            "demo");
    assertTrue(demo.contains("alfamix"), demo);
  }

  @Test
  void networksAreTrainedAndUsed() throws Exception {
    run("train", "--data", "digits", "--labelled", "100", "--output", "digits.safetensors");
    run("embed", "--checkpoint", "digits.safetensors", "--output", "digits");
    String picks =
        run(
            "select",
            "--embeddings",
            "digits/pool.npy",
            "--labels",
            "digits/labels.csv",
            "--head",
            "digits/head.npz",
            "--budget",
            "3");
    assertEquals(4, picks.lines().filter(line -> line.contains(",")).count(), picks);
  }

  @Test
  void theStudioServesAProject() throws Exception {
    run("studio", "new", "demo", "--data", "digits", "--home", "studio");
    Process studio = command("studio", "serve", "--home", "studio", "--port", "0").start();
    try {
      String first = studio.inputReader().readLine();
      String address = first.replaceFirst("alfamix studio: ", "");
      String page =
          HttpClient.newHttpClient()
              .send(
                  HttpRequest.newBuilder(URI.create(address + "/p/demo")).build(),
                  BodyHandlers.ofString())
              .body();
      assertTrue(page.contains("Backspace"), page);
    } finally {
      studio.destroy();
      assertTrue(studio.waitFor(30, TimeUnit.SECONDS));
    }
  }

  @Test
  void licencesAndComponentsAreListed() throws Exception {
    Path home = launcher.getParent().getParent();
    assertTrue(
        Files.readString(home.resolve("THIRD-PARTY.txt")).contains("org.duckdb:duckdb_jdbc"));
    String components = Files.readString(home.resolve("sbom.json"));
    assertTrue(components.contains("\"CycloneDX\""));
    for (String name : List.of("pytorch", "duckdb_jdbc", "onnxruntime", "javalin", "picocli")) {
      assertTrue(components.contains("\"name\" : \"" + name + "\""), name);
    }
    assertTrue(Files.isDirectory(home.resolve("runtime/legal/java.base")));
  }
}
