package org.alfamix.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.alfamix.learn.LearnerEngine;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Tests that the commands, classes and methods in the launcher's files exist. */
class LauncherFilesTest {
  private static final Path LAUNCHER = Path.of("src/main/launcher");

  private static List<String[]> commands() throws IOException {
    return Files.readAllLines(LAUNCHER.resolve("commands")).stream()
        .filter(line -> !line.startsWith("#"))
        .map(line -> line.split(" {2,}"))
        .toList();
  }

  @Test
  void commandsThatDeclareModulesExist() throws IOException {
    for (String[] line : commands()) {
      CommandLine command = Main.commandLine();
      for (String word : line[0].split(" ")) {
        // The subcommands of other modules are placeholders here.
        if (!command.getCommandName().equals("studio")) {
          command = command.getSubcommands().get(word);
          assertNotNull(command, String.join(" ", line));
        }
      }
      assertTrue(Files.exists(Path.of("..", line[1], "pom.xml")), line[1]);
      assertTrue(line.length < 3 || Files.exists(LAUNCHER.resolve(line[2])), line[0]);
    }
  }

  @Test
  void commandsThatTrainNetworksDeclareTheirModule() throws IOException {
    Set<String> declared =
        commands().stream()
            .filter(line -> line[1].equals("alfamix-torch"))
            .map(line -> line[0].replaceFirst(".* ", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    declared.remove("serve"); // a command of alfamix-studio
    Set<String> using = new TreeSet<>();
    for (JavaClass each : new ClassFileImporter().importPackages("org.alfamix.cli")) {
      boolean finds =
          each.getMethodCallsFromSelf().stream()
              .anyMatch(
                  call ->
                      call.getTargetOwner().isEquivalentTo(LearnerEngine.class)
                          && call.getName().equals("find"));
      if (finds && each.isAnnotatedWith(Command.class)) {
        using.add(each.getAnnotationOfType(Command.class).name());
      }
    }
    // These commands only report whether networks are available.
    using.removeAll(Set.of("settings", "doctor"));
    assertEquals(using, declared);
  }

  /** The batch file for Windows has the flags and variables of the bash script. */
  @Test
  void batchFileHasTheFlagsOfTheScript() throws IOException {
    String script = Files.readString(LAUNCHER.resolve("alfamix"));
    String batch = Files.readString(LAUNCHER.resolve("alfamix.bat"));
    // Not possible in a batch file: filtering standard error, the width of a terminal, a locale.
    Set<String> exceptions =
        Set.of("--add-modules", "-Dalfamix.terminal", "-Dalfamix.columns", "-Dalfamix.launcher");
    Matcher flags =
        Pattern.compile("(?<![\\w:-])(-X[X:+\\w]+|--?[a-zD][\\w.-]{4,})").matcher(script);
    Set<String> missing = new TreeSet<>();
    while (flags.find()) {
      if (!batch.contains(flags.group()) && !exceptions.contains(flags.group())) {
        missing.add(flags.group());
      }
    }
    for (String name : List.of("JAVA_HOME", "JAVA_OPTS", "SPARK_HOME", "ALFAMIX_PLUGINS")) {
      assertEquals(script.contains(name), batch.contains(name), name);
    }
    missing.removeIf(flag -> flag.equals("--help") || flag.equals("-XshowSettings:properties"));
    assertEquals(Set.of(), missing);
  }

  @Test
  void methodsWithCompilerFlagsExist() throws Exception {
    Matcher named =
        Pattern.compile("dontinline,([\\w.]+)::(\\w+)")
            .matcher(Files.readString(LAUNCHER.resolve("java.args")));
    Set<String> kernels = new TreeSet<>();
    while (named.find()) {
      Class<?> type = Class.forName(named.group(1));
      String name = named.group(2);
      assertTrue(
          Arrays.stream(type.getDeclaredMethods()).map(Method::getName).anyMatch(name::equals),
          named.group());
      if (type.getSimpleName().equals("VectorKernels")) {
        kernels.add(name);
      }
    }
    // No kernel may be inlined into its callers, so new kernels must be listed.
    Set<String> provided =
        Arrays.stream(Class.forName("org.alfamix.math.KernelProvider").getDeclaredMethods())
            .filter(method -> !method.isSynthetic() && method.getParameterCount() > 0)
            .map(Method::getName)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> unlisted = new TreeSet<>(provided);
    unlisted.removeAll(kernels);
    assertEquals(Set.of(), unlisted);
  }
}
