package org.alfamix;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.Test;

/** The dependency rules of the core. */
class ArchitectureTest {
  /** The main classes, from their build directory or JAR; test classes are excluded. */
  private final JavaClasses core =
      new ClassFileImporter()
          .importUrl(FloatMatrix.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void coreDependsOnlyOnTheJdk() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "jdk.incubator.vector..", "org.alfamix..")
        .check(core);
  }

  @Test
  void onlyVectorKernelsUseTheVectorApi() {
    noClasses()
        .that()
        .haveSimpleNameNotStartingWith("Vector")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator.vector..")
        .check(core);
  }

  @Test
  void packagesHaveNoCyclicDependencies() {
    slices().matching("org.alfamix.(*)..").should().beFreeOfCycles().check(core);
  }

  @Test
  void lowerPackagesDoNotDependOnStrategies() {
    noClasses()
        .that()
        .resideInAnyPackage(
            "..math..",
            "..cluster..",
            "..model..",
            "..mix..",
            "..graph..",
            "..attack..",
            "..inspect..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("..strategy..")
        .check(core);
  }

  @Test
  void coreDoesNotPrint() {
    noClasses().should().accessField(System.class, "out").check(core);
    noClasses().should().accessField(System.class, "err").check(core);
  }
}
