package org.alfamix.dist;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.alfamix.dist.Installation.Outcome;

/**
 * A second build of the published modules, as for a release but without signatures, installed into
 * a local repository of its own. It is done once for all tests.
 */
final class ReleaseBuild {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> UNPUBLISHED = List.of("testing", "bench", "docs", "dist");

  private static Path repository;

  private ReleaseBuild() {}

  /** Returns the repository with the installed modules and their dependencies. */
  static synchronized Path repository() throws Exception {
    if (repository == null) {
      Path fresh = Path.of("target/release-repository").toAbsolutePath();
      delete(fresh);
      link(Path.of(System.getProperty("alfamix.repository")), fresh);
      // A build folder of its own, because this test runs in the middle of another build.
      maven(
          fresh,
          ROOT,
          "install",
          "-Prelease",
          "-Dgpg.skip",
          "-pl",
          String.join(",", UNPUBLISHED.stream().map(module -> "!alfamix-" + module).toList()),
          "-Dmaven.test.skip=true",
          "-Dspotless.check.skip=true",
          "-Dalfamix.build=target/release");
      repository = fresh;
    }
    return repository;
  }

  /** Returns the folder of an installed module. */
  static Path installed(String artifact) throws Exception {
    Path folder = repository().resolve("org/alfamix").resolve(artifact);
    try (Stream<Path> versions = Files.list(folder)) {
      return versions.filter(Files::isDirectory).findFirst().orElseThrow();
    }
  }

  /** Runs Maven in a folder with a local repository. */
  static void maven(Path repository, Path project, String... args) throws Exception {
    List<String> command =
        new ArrayList<>(List.of("mvn", "-q", "-B", "-ntp", "-Dmaven.repo.local=" + repository));
    command.addAll(List.of(args));
    // Maven finds its settings in the home folder.
    Map<String, String> home = Map.of("HOME", System.getProperty("user.home"));
    Outcome outcome = Installation.run(command, home, project);
    assertEquals(0, outcome.code(), project + ": " + outcome.out());
  }

  private static void delete(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted((one, two) -> two.compareTo(one)).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /**
   * Links the downloaded artifacts, so that the test downloads nothing and adds nothing to them.
   */
  private static void link(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Path target = to.resolve(from.relativize(file).toString());
        if (from.relativize(file).startsWith(Path.of("org", "alfamix"))) {
          continue; // artifacts of other builds
        }
        if (Files.isDirectory(file)) {
          Files.createDirectories(target);
        } else {
          try {
            Files.createLink(target, file);
          } catch (IOException | UnsupportedOperationException e) {
            Files.copy(file, target); // another file system
          }
        }
      }
    }
  }
}
