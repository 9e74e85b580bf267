package org.alfamix;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The boundaries inside the core. */
class ArchitectureTest {
  private final JavaClasses core =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("org.alfamix");

  @Test
  void theCoreNeedsTheJdkAlone() {
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "jdk.incubator.vector..", "org.alfamix..")
        .check(core);
  }

  @Test
  void onlyOneClassKnowsTheVectorApi() {
    noClasses()
        .that()
        .haveSimpleNameNotStartingWith("VectorKernels")
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
        .resideInAnyPackage("..math..", "..cluster..", "..model..", "..mix..")
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
