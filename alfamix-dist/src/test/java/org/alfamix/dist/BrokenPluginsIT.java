package org.alfamix.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.alfamix.dist.Installation.Outcome;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A plug-in that cannot be used is reported in one line by the commands that need it; all others
 * work.
 */
@Tag("slow")
class BrokenPluginsIT {
  private static final String STRATEGIES = "org.alfamix.strategy.StrategyProvider";

  @TempDir private static Path folder;
  private static Installation alfamix;

  @BeforeAll
  static void unpack() throws Exception {
    alfamix =
        Installation.unpack(
            Files.createDirectory(folder.resolve("installed")), System.getProperty("alfamix.zip"));
    assertEquals(0, alfamix.run(Map.of(), "example", "try").code());
  }

  /** Returns a plug-in whose provider is a class {@code Broken} with this body. */
  private static Path plugin(String name, String service, String body) throws IOException {
    Path classes = Files.createDirectories(folder.resolve(name));
    if (!body.isEmpty()) {
      Path source =
          Files.writeString(
              classes.resolve("Broken.java"),
              """
              import java.util.*;
              import org.alfamix.strategy.*;
              public class Broken implements %s {
                %s
              }
              """
                  .formatted(service, body));
      List<String> options = new ArrayList<>(List.of("-d", classes.toString(), "-cp", jars()));
      options.add(source.toString());
      int code =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, null, options.toArray(String[]::new));
      assertEquals(0, code, body);
    }
    Path jar = folder.resolve(name + ".jar");
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar))) {
      out.putNextEntry(new JarEntry("META-INF/services/" + service));
      out.write("Broken".getBytes(StandardCharsets.UTF_8));
      if (!body.isEmpty()) {
        out.putNextEntry(new JarEntry("Broken.class"));
        out.write(Files.readAllBytes(classes.resolve("Broken.class")));
      }
    }
    return jar;
  }

  private static String jars() throws IOException {
    try (Stream<Path> files = Files.list(alfamix.home().resolve("lib"))) {
      return files
          .map(Path::toString)
          .filter(file -> file.endsWith(".jar"))
          .collect(Collectors.joining(":"));
    }
  }

  private static Outcome run(Path plugin, String... args) throws Exception {
    return alfamix.run(Map.of("ALFAMIX_PLUGINS", plugin.toString()), args);
  }

  /** The commands that list strategies fail with this message; all others work. */
  private static void assertReported(Path plugin, String message) throws Exception {
    assertEquals(0, run(plugin, "--version").code());
    Outcome select =
        run(
            plugin,
            "select",
            "--embeddings",
            "try/pool.npy",
            "--strategy",
            "coreset",
            "--budget",
            "2");
    assertEquals(0, select.code(), select.out());
    Outcome strategies = run(plugin, "strategies");
    assertEquals(2, strategies.code(), strategies.out());
    assertTrue(strategies.out().contains(message), strategies.out());
    assertFalse(strategies.out().contains("\tat "), strategies.out());
    Outcome doctor = run(plugin, "doctor");
    assertEquals(2, doctor.code(), doctor.out());
    assertTrue(doctor.out().contains(message), doctor.out());
  }

  @Test
  void aNameOfABuiltInStrategyIsReportedWithBothSources() throws Exception {
    Path clash =
        plugin(
            "clash",
            STRATEGIES,
            "public List<StrategyEntry<?>> entries() { return List.of(Margin.ENTRY); }");
    assertReported(clash, "Two strategies have the name 'margin': alfamix and Broken.");
  }

  @Test
  void aMissingClassIsReported() throws Exception {
    assertReported(plugin("missing", STRATEGIES, ""), "A plug-in cannot be loaded: ");
  }

  @Test
  void aConstructorThatFailsIsReported() throws Exception {
    Path failing =
        plugin(
            "constructor",
            STRATEGIES,
            "public Broken() { throw new IllegalStateException(\"no licence\"); }"
                + " public List<StrategyEntry<?>> entries() { return List.of(); }");
    assertReported(failing, "no licence");
  }

  @Test
  void aListWithNullIsReported() throws Exception {
    Path nothing =
        plugin("null", STRATEGIES, "public List<StrategyEntry<?>> entries() { return null; }");
    assertReported(nothing, "The plug-in Broken cannot list its entries: ");
    Path entry =
        plugin(
            "entry",
            STRATEGIES,
            "public List<StrategyEntry<?>> entries() { return Arrays.asList((StrategyEntry<?>)"
                + " null); }");
    assertReported(entry, "The plug-in Broken cannot list its entries: ");
  }

  @Test
  void aCommandThatIsMissingIsReported() throws Exception {
    Path command = plugin("command", "org.alfamix.command.Subcommand", "");
    Outcome help = run(command, "--help");
    assertEquals(2, help.code(), help.out());
    assertTrue(help.out().contains("alfamix: A plug-in cannot be loaded: "), help.out());
    assertEquals(1, help.out().lines().count(), help.out());
    assertEquals(0, run(command, "strategies").code());
    assertEquals(2, run(command, "doctor").code());
  }
}
