package org.alfamix.dist;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the dependencies between the modules and packages of all classes. */
class ModulesTest {
  private static final String[] LIBRARIES = {
    "org.alfamix.attack..",
    "org.alfamix.chart..",
    "org.alfamix.cluster..",
    "org.alfamix.datasets..",
    "org.alfamix.error..",
    "org.alfamix.graph..",
    "org.alfamix.inspect..",
    "org.alfamix.io..",
    "org.alfamix.lab..",
    "org.alfamix.learn..",
    "org.alfamix.math..",
    "org.alfamix.mix..",
    "org.alfamix.model..",
    "org.alfamix.onnx..",
    "org.alfamix.plugin..",
    "org.alfamix.projection..",
    "org.alfamix.select..",
    "org.alfamix.strategy..",
    "org.alfamix.tables..",
    "org.alfamix.torch..",
    "org.alfamix.video.."
  };

  private static JavaClasses all;
  private static JavaClasses tests;

  @BeforeAll
  static void importClasses() throws IOException {
    all = classes("target/classes");
    tests = classes("target/test-classes");
    assertTrue(all.size() > 700, "classes of all modules: " + all.size());
    assertTrue(tests.size() > 200, "test classes of all modules: " + tests.size());
  }

  private static JavaClasses classes(String folder) throws IOException {
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      return new ClassFileImporter()
          .importPaths(
              modules
                  .filter(module -> module.getFileName().toString().startsWith("alfamix-"))
                  .map(module -> module.resolve(folder))
                  .filter(Files::isDirectory)
                  .toList());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "org.duckdb.., org.alfamix.tables..",
    "org.bytedeco.pytorch.., org.alfamix.torch..",
    "ai.onnxruntime.., org.alfamix.onnx..",
    "ai.djl.., org.alfamix.onnx..",
    "org.bytedeco.ffmpeg.., org.alfamix.video..",
    "org.apache.spark.., org.alfamix.spark..",
    "com.fasterxml.jackson.databind.., org.alfamix.studio.web..",
    "gg.jte.., org.alfamix.studio.web..",
    "io.javalin.., org.alfamix.studio.web..",
    "org.eclipse.jetty.., org.alfamix.studio.web..",
    "org.sqlite.., org.alfamix.studio.store..",
    "org.flywaydb.., org.alfamix.studio.store..",
    "org.snakeyaml.., org.alfamix.lab.setting.."
  })
  void onlyOneModuleUsesALargeDependency(String dependency, String owner) {
    noClasses()
        .that()
        .resideOutsideOfPackages(owner, "org.alfamix.bench..", "org.alfamix.docs..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(dependency)
        .check(all);
  }

  /** Internal classes of Spark may change in any release. */
  @Test
  void onlyOneClassUsesInternalClassesOfSpark() {
    noClasses()
        .that()
        .resideInAPackage("org.alfamix..")
        .and()
        .haveNameNotMatching("org\\.alfamix\\.spark\\.InternalRows(\\$.*)?")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.spark.sql.catalyst..",
            "org.apache.spark.sql.classic..",
            "org.apache.spark.sql.execution..")
        .check(all);
  }

  @Test
  void librariesDoNotDependOnTheCommandLine() {
    noClasses()
        .that()
        .resideInAnyPackage(LIBRARIES)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("picocli..", "org.alfamix.command..", "org.alfamix.cli..")
        .check(all);
  }

  @Test
  void librariesDoNotDependOnApplications() {
    noClasses()
        .that()
        .resideInAnyPackage(LIBRARIES)
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.alfamix.studio..", "org.alfamix.spark..", "org.alfamix.bench..")
        .check(all);
  }

  @Test
  void librariesDoNotPrint() {
    noClasses()
        .that()
        .resideInAnyPackage(LIBRARIES)
        .and()
        // Flushes the stream before it writes to /dev/stdout.
        .doNotHaveSimpleName("AtomicFiles")
        .should()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(all);
  }

  /** Libraries name parameters; the command line replaces them by option names. */
  @Test
  void librariesDoNotNameOptions() throws IOException {
    TreeSet<String> found = new TreeSet<>();
    for (String module :
        new String[] {
          "core",
          "io",
          "chart",
          "datasets",
          "select",
          "learn",
          "tables",
          "torch",
          "onnx",
          "video",
          "lab"
        }) {
      try (Stream<Path> files = Files.walk(Path.of("..", "alfamix-" + module, "src/main"))) {
        for (Path file :
            files.filter(each -> each.toString().matches(".*\\.(java|yaml)")).toList()) {
          Files.readString(file)
              .lines()
              .filter(
                  line ->
                      line.matches(
                          ".*\"[^\"]*((?<![\\w-])--[a-z]|'alfamix |\\./alfamix )[^\"]*\".*"))
              .forEach(line -> found.add(file.getFileName() + ": " + line.strip()));
        }
      }
    }
    // A flag of Java, not of alfamix.
    found.removeIf(line -> line.contains("--add-modules"));
    assertEquals(new TreeSet<>(), found);
  }

  @Test
  void applicationsDoNotDependOnEachOther() {
    for (String one : new String[] {"cli", "studio", "spark"}) {
      noClasses()
          .that()
          .resideInAPackage("org.alfamix." + one + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              Stream.of("cli", "studio", "spark", "bench")
                  .filter(other -> !other.equals(one))
                  .map(other -> "org.alfamix." + other + "..")
                  .toArray(String[]::new))
          .check(all);
    }
  }

  @Test
  void applicationsFindEnginesAtRunTime() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "org.alfamix.cli..", "org.alfamix.lab..", "org.alfamix.studio..", "org.alfamix.spark..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.alfamix.torch..",
            "org.alfamix.onnx..",
            "org.alfamix.video..",
            "org.alfamix.tables..")
        .check(all);
  }

  @Test
  void packagesHaveNoCycles() {
    slices().assignedFrom(new EachPackage()).should().beFreeOfCycles().check(all);
  }

  /** Every package is a slice, also those that contain other packages. */
  private static final class EachPackage implements SliceAssignment {
    @Override
    public SliceIdentifier getIdentifierOf(JavaClass each) {
      return each.getPackageName().startsWith("org.alfamix")
          ? SliceIdentifier.of(each.getPackageName())
          : SliceIdentifier.ignore();
    }

    @Override
    public String getDescription() {
      return "packages";
    }
  }

  @Test
  void torchPackageDoesNotDependOnItsNetworks() {
    noClasses()
        .that()
        .resideInAPackage("org.alfamix.torch")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.alfamix.torch.network..")
        .check(all);
  }

  @Test
  void dataPackagesDoNotDependOnLearning() {
    noClasses()
        .that()
        .resideInAnyPackage("org.alfamix.io..", "org.alfamix.datasets..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.alfamix.learn..", "org.alfamix.select..", "org.alfamix.torch..")
        .check(all);
  }

  @Test
  void classNamesAreUnique() {
    Map<String, TreeSet<String>> packages = new TreeMap<>();
    for (JavaClass each : Stream.of(all, tests).flatMap(JavaClasses::stream).toList()) {
      if (each.isTopLevelClass() && !each.getSimpleName().equals("package-info")) {
        packages
            .computeIfAbsent(each.getSimpleName(), name -> new TreeSet<>())
            .add(each.getPackageName());
      }
    }
    assertEquals(
        Map.of(),
        packages.entrySet().stream()
            .filter(entry -> entry.getValue().size() > 1)
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }
}
