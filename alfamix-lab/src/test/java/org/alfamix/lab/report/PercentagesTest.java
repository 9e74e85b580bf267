package org.alfamix.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.alfamix.lab.run.SyntheticRuns;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests percentages beside the paper's, with stand-in settings. */
class PercentagesTest {
  @TempDir private Path folder;

  /** All rounds of the paper's settings are won, and none of the stand-in's. */
  @BeforeEach
  void writeRuns() {
    for (String name : List.of("mnist-mlp", "letter-mlp")) {
      SyntheticRuns.write(
          folder,
          ReportTest.setting(name),
          ReportTest.methods("random", "bald:rate=0", "margin", "alfamix"),
          5,
          ReportTest.steps("random", "bald:rate=0", "margin", "alfamix"));
    }
    SyntheticRuns.write(
        folder,
        ReportTest.setting("arabic-mlp"),
        ReportTest.methods("random", "bald:rate=0", "margin", "alfamix"),
        5,
        ReportTest.steps("alfamix", "margin", "bald:rate=0", "random"));
  }

  private Report report() {
    return Report.of(Results.read(folder));
  }

  private DataTable table(String id) {
    return report().table(id);
  }

  @Test
  void countsStandInsSeparately() {
    String own = TableFormat.markdown(table("percentages"));
    assertTrue(own.contains("| architecture | MLP | 2 | 100 (98) | 100 (96) | 100 |"), own);
    String all = TableFormat.markdown(table("percentages-with-stand-ins"));
    assertTrue(all.contains("| architecture | MLP | 3 | 67 (98) | 67 (96) | 67 |"), all);
    assertTrue(table("percentages-with-stand-ins").note().contains("Stand-ins: arabic-mlp for 6."));
    assertFalse(table("percentages").note().contains("Stand-ins"), table("percentages").note());
    assertEquals(
        List.of("random", "random (paper)", "bald:rate=0", "bald:rate=0 (paper)", "margin"),
        table("percentages").forPrograms().columns().subList(3, 8));
  }

  @Test
  void showsDifferencesFromThePaperWithIntervals() {
    String own = TableFormat.markdown(table("closeness"));
    assertTrue(
        own.contains("| architecture | MLP | random | 2 | 100 | 100 | 100 | 98 | 88–100 | +2 |"),
        own);
    String all = TableFormat.markdown(table("closeness-with-stand-ins"));
    assertTrue(
        all.contains("| architecture | MLP | bald:rate=0 | 3 | 67 | 67 | 67 | 96 | 87–100 | -29 |"),
        all);
    assertFalse(all.contains("margin"), "the paper's table has no margin");
  }

  /** Compares bounds with the solutions of SciPy's linprog. */
  @ParameterizedTest
  @CsvSource({
    "random, 30, 88, 100",
    "random, 11 12 25 26, 30, 38",
    "entropy, 9, 97, 100",
    "entropy, 11 12 25 26, 33.5, 90.2",
    "bald, 11 12 25 26, 28.2, 40.8",
    "coreset, 11 12 25 26, 63.2, 89.3",
    "gcnal, 11 12 25 26, 12.5, 45.3",
    "cdal, 9, 46, 100",
    "cdal, 11 12 25 26, 0, 38",
    "badge, 11 12 25 26, 0, 36.3"
  })
  void boundsSettingsByThePapersRows(String method, String numbers, double least, double most) {
    PaperBounds.Range range = PaperBounds.of(List.of(numbers.split(" ")), method).orElseThrow();
    assertEquals(least, range.least(), 0.06);
    assertEquals(most, range.most(), 0.06);
  }

  @Test
  void marksSettingsOutsideTheBounds() {
    String text = TableFormat.markdown(table("bounds"));
    assertTrue(text.contains("| mnist-mlp | 4 | 100 (84–100) |"), text);
    assertTrue(text.contains("| arabic-mlp | (6) | 0 (84–100) ‡ |"), text);
    assertTrue(text.contains("| all: MLP | 4, 29 | 100 ("), text);
    String all = TableFormat.csv(table("bounds-in-full"));
    assertTrue(all.contains("\"yes, including the interval\""), all);
    assertTrue(PaperBounds.of(List.of("V"), "random").isEmpty(), "not in the table");
    assertTrue(PaperBounds.of(List.of("4"), "margin").isEmpty(), "not in the table");
  }

  /** Two seeds are too few for an interval, so that none can be outside. */
  @Test
  void showsNoIntervalForTwoSeeds() {
    SyntheticRuns.write(
        folder,
        ReportTest.setting("mnist-lenet5"),
        ReportTest.methods("random", "alfamix"),
        2,
        ReportTest.steps("alfamix", "random"));
    String text = TableFormat.markdown(table("bounds"));
    assertTrue(text.contains("| mnist-lenet5 | 8 | 0 (95–100) † |"), text);
  }

  @Test
  void countsRoundsLostOverThePapersSettings() {
    SyntheticRuns.write(
        folder,
        ReportTest.setting("mnist-lenet5"),
        ReportTest.methods("cdal", "badge", "margin", "alfamix"),
        5,
        ReportTest.steps("cdal", "alfamix", "margin", "badge"));
    String text = TableFormat.markdown(table("rounds-lost"));
    assertTrue(text.contains("| mnist-mlp | 10 | – | 0 | 0 |"), text);
    assertTrue(text.contains("| mnist-lenet5 | 10 | 10 | 10 | 10 |"), text);
    assertTrue(text.contains("| total | 30 | 10 of 10 | 10 of 30 | 10 of 30 |"), text);
    assertTrue(text.contains("| paper | 285 | 3 of 285 | – | – |"), text);
    assertFalse(text.contains("arabic"), "stand-ins are counted separately");
  }

  @Test
  void groupsExperimentsThatDifferOnlyInSeeds() {
    SyntheticRuns.write(
        folder,
        ReportTest.setting("check-chance-2"),
        ReportTest.methods("random", "margin", "alfamix"),
        5,
        ReportTest.steps("alfamix", "margin", "random"));
    // An ablation with the same seeds is no repetition, and must not hide methods that it lacks.
    SyntheticRuns.write(
        folder,
        ReportTest.setting("ablation-adversarial"),
        ReportTest.methods("badge", "alfamix"),
        5,
        ReportTest.steps("badge", "alfamix"));
    String text = TableFormat.markdown(table("repeated"));
    assertFalse(text.contains("ablation"), text);
    assertTrue(text.contains("| setting | seeds | random | margin |"), text);
    assertTrue(text.contains("| mnist-mlp | 1–5 | 100 | 100 |"), text);
    assertTrue(text.contains("| check-chance-2 | 6–10 | 0 | 0 |"), text);
    assertFalse(text.contains("letter"), text);
  }

  @Test
  void drawsVictoriesAsBars() {
    String svg = report().figures().get("victories");
    assertTrue(svg.contains("<title>MLP (2), random: 100 % (paper: 98 %)</title>"), svg);
    assertTrue(report().figures().containsKey("stand-ins-penalties"));
  }

  @Test
  void writesStandaloneFiguresAndMarkdownTables() throws IOException {
    List<String> files = report().writeFigures(folder);
    assertTrue(files.contains("curves-mnist-mlp.svg"), files.toString());
    String svg = Files.readString(folder.resolve("curves-mnist-mlp.svg"));
    assertTrue(svg.startsWith("<svg xmlns="), svg.substring(0, 100));
    assertTrue(svg.contains("width=\"") && svg.contains("--c0: #c8371b"), svg.substring(0, 900));
    assertFalse(svg.contains("figcaption") || svg.contains("prefers-color-scheme"));
    String text = report().tables(TableFormat.MARKDOWN);
    assertTrue(text.contains("### Summary, mnist-mlp\n\n| method | seeds |"), text);
    assertTrue(text.contains("|---|--:|"), text);
  }
}
