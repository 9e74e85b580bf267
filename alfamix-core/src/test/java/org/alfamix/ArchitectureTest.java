package org.alfamix;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.Test;

/** The boundaries inside the core. */
class ArchitectureTest {
  /** The classes of the product, wherever they were built; those of the tests lie elsewhere. */
  private final JavaClasses core =
      new ClassFileImporter()
          .importUrl(FloatMatrix.class.getProtectionDomain().getCodeSource().getLocation());

  @Test
  void theCoreNeedsTheJdkAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "jdk.incubator.vector..", "org.alfamix..")
        .check(core);
  }

  @Test
  void onlyTheVectorKernelsKnowTheVectorApi() {
    noClasses()
        .that()
        .haveSimpleNameNotStartingWith("Vector")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("jdk.incubator.vector..")
        .check(core);
  }

  @Test
  void packagesDependOneWay() {
    slices().matching("org.alfamix.(*)..").should().beFreeOfCycles().check(core);
  }

  @Test
  void strategiesAreNotKnownBelow() {
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
  void nobodyPrints() {
    noClasses().should().accessField(System.class, "out").check(core);
    noClasses().should().accessField(System.class, "err").check(core);
  }
}
