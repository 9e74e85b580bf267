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

/** The paper's percentages beside ours, with settings that stand in for others. */
class PercentagesTest {
  @TempDir private Path folder;

  /** Of the paper's own settings all rounds are won, of the stand-in's none. */
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
  void settingsThatStandInAreCountedApart() {
    String own = TableFormat.markdown(table("percentages"));
    assertTrue(own.contains("| architecture | MLP | 2 | 100 (98) | 100 (96) | 100 |"), own);
    String all = TableFormat.markdown(table("percentages-with-stand-ins"));
    assertTrue(all.contains("| architecture | MLP | 3 | 67 (98) | 67 (96) | 67 |"), all);
    assertTrue(
        table("percentages-with-stand-ins").note().contains("Standing in: arabic-mlp for 6."));
    assertFalse(table("percentages").note().contains("Standing"), table("percentages").note());
    assertEquals(
        List.of("random", "random (paper)", "bald:rate=0", "bald:rate=0 (paper)", "margin"),
        table("percentages").forPrograms().columns().subList(3, 8));
  }

  @Test
  void theDistanceFromThePaperIsToldWithWhatChanceCouldDo() {
    String own = TableFormat.markdown(table("closeness"));
    assertTrue(
        own.contains("| architecture | MLP | random | 2 | 100 | 100 | 100 | 98 | +2 |"), own);
    String all = TableFormat.markdown(table("closeness-with-stand-ins"));
    assertTrue(
        all.contains("| architecture | MLP | bald:rate=0 | 3 | 67 | 67 | 67 | 96 | -29 |"), all);
    assertFalse(all.contains("margin"), "the paper's table has no margin");
  }

  @Test
  void figuresStandAloneAndTablesAreMarkdown() throws IOException {
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
