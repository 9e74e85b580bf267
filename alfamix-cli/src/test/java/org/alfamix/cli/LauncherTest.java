package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the launcher of the source tree in a temporary tree, with scripts in place of Maven and
 * Java.
 */
@DisabledOnOs(OS.WINDOWS)
class LauncherTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Writes the jar of a module and its class path, and logs the call. */
  private static final String MAVEN =
      """
      #!/bin/bash
      while [ $# -gt 0 ]; do
        case "$1" in -f) root=${2%/pom.xml} ;; -pl) module=$2 ;; esac
        shift
      done
      echo "$module" >>"$FAKE/builds"
      sleep 0.2
      mkdir -p "$root/$module/target" "$root/alfamix-core/target"
      cat "$root/$module/src/main/source" >"$root/$module/target/$module.jar"
      echo core >"$root/alfamix-core/target/alfamix-core-1.jar"
      printf '%s' "$root/alfamix-core/target/alfamix-core-1.jar:$FAKE/library-1.jar" \\
        >"$root/$module/target/class-path"
      """;

  /** Prints the class path and its arguments, or evaluates the variable JAVA_DOES. */
  private static final String JAVA =
      """
      #!/bin/bash
      case "$*" in *ArchiveClassesAtExit*) exit 1 ;; esac
      while [ "$1" != -cp ]; do shift; done
      class_path=$2
      shift 3
      eval "${JAVA_DOES:-echo \\"\\$class_path\\"; printf '%s\\\\n' \\"\\$@\\"}"
      """;

  @TempDir private Path folder;
  private Path tree;
  private Path tools;

  private record Finished(int code, String out, String err) {}

  @BeforeEach
  void createTree() throws IOException {
    tools = Files.createDirectories(folder.resolve("tools"));
    executable(tools.resolve("mvn"), MAVEN);
    executable(tools.resolve("jdk/bin/java"), JAVA);
    Files.writeString(tools.resolve("jdk/release"), "JAVA_VERSION=\"17.0.1\"\n");
    Files.writeString(tools.resolve("library-1.jar"), "library");
    tree = createTree(folder.resolve("tree"));
  }

  private static Path createTree(Path tree) throws IOException {
    Files.createDirectories(tree);
    Files.copy(ROOT.resolve("alfamix"), tree.resolve("alfamix"));
    Files.writeString(tree.resolve("pom.xml"), "<project/>");
    for (String module : List.of("cli", "core", "studio", "torch", "spark", "bench")) {
      Path sources = Files.createDirectories(tree.resolve("alfamix-" + module + "/src/main"));
      Files.writeString(sources.resolve("source"), module);
      Files.writeString(
          tree.resolve("alfamix-" + module + "/pom.xml"),
          "<artifactId>alfamix-core</artifactId>\n");
    }
    Path scripts = Files.createDirectories(tree.resolve("alfamix-cli/src/main/launcher"));
    try (Stream<Path> files = Files.list(ROOT.resolve("alfamix-cli/src/main/launcher"))) {
      for (Path file : files.toList()) {
        Files.copy(file, scripts.resolve(file.getFileName()));
      }
    }
    return tree;
  }

  private static void executable(Path file, String text) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private Process start(Path launcher, Map<String, String> variables, String... args)
      throws IOException {
    return start(List.of("bash", launcher.toString()), variables, args);
  }

  private Process start(List<String> launcher, Map<String, String> variables, String... args)
      throws IOException {
    List<String> command = new ArrayList<>(launcher);
    command.addAll(List.of(args));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("ALFAMIX") || name.equals("JAVA_OPTS"));
    environment.put("PATH", tools + ":" + environment.get("PATH"));
    environment.put("JAVA_HOME", tools.resolve("jdk").toString());
    environment.put("FAKE", tools.toString());
    environment.putAll(variables);
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  private Finished run(Path launcher, Map<String, String> variables, String... args)
      throws Exception {
    return outcome(start(launcher, variables, args));
  }

  private Finished run(String... args) throws Exception {
    return run(tree.resolve("alfamix"), Map.of(), args);
  }

  private static Finished outcome(Process process) throws Exception {
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(30, TimeUnit.SECONDS));
    return new Finished(process.exitValue(), out, err);
  }

  private List<String> builds() throws IOException {
    Path file = tools.resolve("builds");
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private void change(String module) throws Exception {
    Thread.sleep(20); // so that the modification time differs
    Files.writeString(tree.resolve(module + "/src/main/source"), "changed");
  }

  private static void assumeWorks(String... command) throws Exception {
    assumeTrue(new ProcessBuilder(command).start().waitFor() == 0, String.join(" ", command));
  }

  private static void await(Path file) throws Exception {
    for (int i = 0; i < 300 && !Files.exists(file); i++) {
      Thread.sleep(50);
    }
    assertTrue(Files.exists(file), file.toString());
  }

  @Test
  void buildsOnlyOnFirstUse() throws Exception {
    Finished first = run("select", "a b", "*");
    assertEquals(0, first.code(), first.err());
    assertTrue(first.err().contains("building alfamix-cli (first use)"), first.err());
    List<String> lines = first.out().lines().toList();
    assertEquals(List.of("select", "a b", "*"), lines.subList(1, lines.size()));
    assertTrue(lines.get(0).contains("/alfamix-cli.jar:"), lines.get(0));
    assertTrue(lines.get(0).endsWith("/library-1.jar"), "libraries stay in the repository");
    Finished second = run("select");
    assertEquals("", second.err());
    assertEquals(List.of("alfamix-cli"), builds());
  }

  @Test
  void buildsOnlyTheModulesOfTheCommand() throws Exception {
    run("embed", "--backbone", "model.onnx");
    assertEquals(List.of("alfamix-cli", "alfamix-torch"), builds());
    run("studio", "new", "spark", "train");
    assertEquals(List.of("alfamix-cli", "alfamix-torch", "alfamix-studio"), builds());
    run("lab", "report", "run");
    run("studio", "serve");
    run("help", "studio");
    assertEquals(List.of("alfamix-cli", "alfamix-torch", "alfamix-studio"), builds());
    run("help", "spark");
    assertEquals("alfamix-spark", builds().get(3));
  }

  @Test
  void rebuildsIfSourcesOrLibrariesChange() throws Exception {
    run("select");
    change("alfamix-core");
    assertTrue(run("select").err().contains("sources changed"));
    Files.delete(tools.resolve("library-1.jar"));
    assertTrue(run("select").err().contains("library-1.jar is missing"));
    assertEquals(3, builds().size());
  }

  @Test
  void changesOfAModuleThatACommandDoesNotUseCauseNoBuild() throws Exception {
    assertEquals(0, run("train").code());
    assertEquals(List.of("alfamix-cli", "alfamix-torch"), builds());
    Path source = tree.resolve("alfamix-torch/src/main/source");
    Files.setLastModifiedTime(source, FileTime.from(Instant.now().plus(Duration.ofMinutes(1))));
    assertEquals(0, run("select").code());
    assertEquals(2, builds().size(), "select does not use torch");
    assertEquals(0, run("train").code());
    assertEquals(List.of("alfamix-cli", "alfamix-torch", "alfamix-torch"), builds());
  }

  @Test
  void keepsTheJarsOfARunningCommand() throws Exception {
    String wait =
        "touch \"$FAKE/started\"; while [ ! -f \"$FAKE/go\" ]; do sleep 0.05; done;"
            + " cat \"${class_path%%:*}\"";
    Process running = start(tree.resolve("alfamix"), Map.of("JAVA_DOES", wait), "studio", "list");
    await(tools.resolve("started"));
    change("alfamix-cli");
    Finished other = run(tree.resolve("alfamix"), Map.of("JAVA_DOES", "cat \"${class_path%%:*}\""));
    assertEquals("changed", other.out(), other.err());
    Files.createFile(tools.resolve("go"));
    Finished first = outcome(running);
    assertEquals("cli", first.out(), first.err());
    ageBuilds();
    change("alfamix-core");
    run("select");
    try (Stream<Path> folders = Files.list(tree.resolve("target/launcher/alfamix-cli"))) {
      List<String> names = folders.map(each -> each.getFileName().toString()).sorted().toList();
      assertEquals(3, names.size(), "the log, the link and one folder: " + names);
    }
  }

  /** Sets the time of all builds back, because the launcher keeps the folders of the last day. */
  private void ageBuilds() throws IOException {
    FileTime old = FileTime.from(Instant.now().minus(Duration.ofDays(2)));
    try (Stream<Path> files = Files.walk(tree.resolve("target/launcher"))) {
      for (Path built : files.filter(file -> file.endsWith("built")).toList()) {
        Files.setLastModifiedTime(built, old);
      }
    }
  }

  @Test
  void buildsNoModuleForARunningCommandAfterSourceChanges() throws Exception {
    String builds =
        "touch \"$FAKE/started\"; while [ ! -f \"$FAKE/go\" ]; do sleep 0.05; done;"
            + " bash \"$ALFAMIX_SOURCE_LAUNCHER\" --build alfamix-tables";
    Process running = start(tree.resolve("alfamix"), Map.of("JAVA_DOES", builds), "select");
    await(tools.resolve("started"));
    change("alfamix-core");
    Files.createFile(tools.resolve("go"));
    Finished outcome = outcome(running);
    assertEquals(1, outcome.code());
    assertTrue(outcome.err().contains("start it again"), outcome.err());
  }

  @Test
  void buildsOnceForConcurrentCommands() throws Exception {
    Process one = start(tree.resolve("alfamix"), Map.of(), "select");
    Process other = start(tree.resolve("alfamix"), Map.of(), "select");
    assertEquals(0, outcome(one).code());
    assertEquals(0, outcome(other).code());
    assertEquals(List.of("alfamix-cli"), builds());
  }

  /** A script contains the special characters, because this Java process may not use UTF-8. */
  @ParameterizedTest
  @ValueSource(strings = {"my tree", "k\\xc3\\xa4fer", "a'b\"c", "$(x) & y"})
  void runsInFoldersWithSpecialCharacters(String name) throws Exception {
    Path script = folder.resolve("anywhere.sh");
    Files.writeString(
        script, "cp -r \"$1\" \"$(printf \"$2\")\"; bash \"$(printf \"$2\")/alfamix\" select\n");
    ProcessBuilder builder =
        new ProcessBuilder("bash", script.toString(), tree.toString(), name)
            .directory(folder.toFile());
    builder.environment().put("PATH", tools + ":" + builder.environment().get("PATH"));
    builder.environment().put("JAVA_HOME", tools.resolve("jdk").toString());
    builder.environment().put("FAKE", tools.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    Finished outcome = outcome(process);
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(outcome.out().endsWith("select\n"), outcome.out());
  }

  @Test
  void rejectsAFolderWithAColon() throws Exception {
    Finished rejected =
        run(createTree(folder.resolve("a:b")).resolve("alfamix"), Map.of(), "select");
    assertEquals(1, rejected.code());
    assertTrue(rejected.err().contains("has a colon in its name"), rejected.err());
    assertEquals(List.of(), builds());
  }

  @Test
  void runsThroughASymbolicLink() throws Exception {
    Path link = Files.createSymbolicLink(folder.resolve("link"), tree.resolve("alfamix"));
    assertEquals(0, run(link, Map.of(), "select").code());
    assertTrue(Files.isDirectory(tree.resolve("target/launcher/alfamix-cli")));
  }

  @Test
  void reportsATreeThatCannotBeWritten() throws Exception {
    Files.writeString(tree.resolve("target"), "a file");
    Finished rejected = run("select");
    assertEquals(1, rejected.code());
    assertTrue(rejected.err().contains("first use), but " + tree), rejected.err());
    assertTrue(rejected.err().contains("is not writable"), rejected.err());
  }

  @Test
  void reportsMissingTools() throws Exception {
    Files.delete(tools.resolve("mvn"));
    Path few = Files.createDirectories(folder.resolve("few"));
    for (String tool : List.of("bash", "readlink", "dirname", "sed", "find")) {
      Files.createSymbolicLink(few.resolve(tool), Path.of("/usr/bin", tool));
    }
    Finished noMaven = run(tree.resolve("alfamix"), Map.of("PATH", few.toString()), "select");
    assertEquals(1, noMaven.code());
    assertEquals(
        "alfamix: Maven was not found; install it (mvn) to build alfamix.\n", noMaven.err());
    Finished noJava =
        run(tree.resolve("alfamix"), Map.of("JAVA_HOME", folder.resolve("no").toString()), "x");
    assertEquals(1, noJava.code());
    assertTrue(noJava.err().startsWith("alfamix: Java was not found"), noJava.err());
  }

  @Test
  void keepsTheLastBuildIfABuildFails() throws Exception {
    run("select");
    change("alfamix-cli");
    executable(tools.resolve("mvn"), "#!/bin/bash\necho 'A.java:[3,4] no such symbol'; exit 1\n");
    Finished failed = run("select");
    assertEquals(1, failed.code());
    assertTrue(failed.err().contains("A.java:[3,4] no such symbol\n"), failed.err());
    assertTrue(Files.exists(tree.resolve("target/launcher/alfamix-cli/current/alfamix-cli.jar")));
  }

  @Test
  void forwardsExitCodeAndStandardError() throws Exception {
    String many =
        "echo 'WARNING: Using incubator modules: jdk.incubator.vector' >&2;"
            + " for i in $(seq 5000); do echo line $i >&2; done; exit 3";
    run("select");
    Finished outcome = run(tree.resolve("alfamix"), Map.of("JAVA_DOES", many), "select");
    assertEquals(3, outcome.code());
    List<String> lines = outcome.err().lines().toList();
    assertEquals(5000, lines.size());
    assertEquals("line 5000", lines.get(4999));
    assertFalse(outcome.err().contains("incubator"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"TERM", "INT", "HUP", "QUIT"})
  void forwardsSignals(String signal) throws Exception {
    String wait =
        "trap 'echo ended >&2; exit 9' "
            + signal
            + "; touch \"$FAKE/started\";"
            + " for i in $(seq 600); do sleep 0.05; done";
    run("select");
    // Shells cannot trap a signal that was ignored when they started, as in a background job.
    assumeWorks("env", "--default-signal=" + signal, "true");
    Process process =
        start(
            List.of(
                "env", "--default-signal=" + signal, "bash", tree.resolve("alfamix").toString()),
            Map.of("JAVA_DOES", wait),
            "select");
    await(tools.resolve("started"));
    new ProcessBuilder("kill", "-" + signal, String.valueOf(process.pid())).start().waitFor();
    Finished outcome = outcome(process);
    assertEquals(9, outcome.code());
    assertEquals("ended\n", outcome.err());
  }
}
