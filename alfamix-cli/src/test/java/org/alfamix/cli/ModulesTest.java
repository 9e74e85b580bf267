package org.alfamix.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Who may know whom, over all modules that the command is made of. */
class ModulesTest {
  private final JavaClasses all =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("org.alfamix");

  @Test
  void onlyTheTorchModuleKnowsLibtorch() {
    noClasses()
        .that()
        .resideOutsideOfPackage("org.alfamix.torch..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.bytedeco.pytorch..")
        .check(all);
  }

  @Test
  void onlyTheVideoModuleKnowsFfmpeg() {
    noClasses()
        .that()
        .resideOutsideOfPackage("org.alfamix.video..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.bytedeco.ffmpeg..")
        .check(all);
    noClasses()
        .that()
        .resideOutsideOfPackages("org.alfamix.torch..", "org.alfamix.video..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.bytedeco..", "org.alfamix.video..")
        .check(all);
  }

  @Test
  void theCommandFindsLearnersAndTablesAtRunTime() {
    noClasses()
        .that()
        .resideInAPackage("org.alfamix.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.alfamix.torch..", "org.duckdb..")
        .check(all);
  }

  @Test
  void theLabKnowsWhatALearnerIsAndNotWhatItIsMadeOf() {
    noClasses()
        .that()
        .resideInAPackage("org.alfamix.lab..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.alfamix.torch..", "org.alfamix.cli..", "picocli..")
        .check(all);
  }

  @Test
  void settingsKnowNothingOfRunsNorRunsOfReports() {
    noClasses()
        .that()
        .resideInAPackage("org.alfamix.lab.setting..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.alfamix.lab.run..", "org.alfamix.lab.report..")
        .check(all);
    noClasses()
        .that()
        .resideInAPackage("org.alfamix.lab.run..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("org.alfamix.lab.report..")
        .check(all);
  }

  @Test
  void dataKnowsNothingOfThoseWhoLearnFromIt() {
    noClasses()
        .that()
        .resideInAnyPackage("org.alfamix.io..", "org.alfamix.datasets..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.alfamix.learn..", "org.alfamix.select..", "org.alfamix.torch..")
        .check(all);
  }
}
