package org.alfamix.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.lab.run.SyntheticRuns;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.PaperTables;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportTest {
  @TempDir private Path folder;

  static Setting setting(String name) {
    return Settings.find(name).get(0);
  }

  static List<Method> methods(String... names) {
    return Arrays.stream(names).map(Method::parse).toList();
  }

  /** Each method is better than the previous one, with small differences between seeds. */
  static SyntheticRuns.Accuracy steps(String... worstFirst) {
    List<String> order = List.of(worstFirst);
    return (method, seed, round) ->
        0.4
            + 0.04 * round
            + (round == 0 ? 0 : 0.02 * order.indexOf(method))
            + 0.001 * ((seed * 7 + order.indexOf(method) * 3L + round) % 5);
  }

  private Report report() {
    return Report.of(Results.read(folder));
  }

  private DataTable table(String id) {
    return report().table(id);
  }

  private static Object cell(DataTable table, String row, String column) {
    return table.rows().stream()
        .filter(cells -> row.equals(cells.get(0).value()) || row.equals(cells.get(1).value()))
        .findFirst()
        .orElseThrow()
        .get(table.columns().indexOf(column))
        .value();
  }

  /** Two settings of the MLP and one of LeNet-5; alfamix wins all, some and no rounds. */
  @Test
  void reproducesThePercentageTableOfThePaper() {
    SyntheticRuns.write(
        folder, setting("mnist-mlp"), methods("random", "alfamix"), 5, steps("random", "alfamix"));
    SyntheticRuns.write(
        folder,
        setting("mnist-mlp-large"),
        methods("random", "alfamix"),
        5,
        (method, seed, round) ->
            method.equals("alfamix") && round > 6 ? 0.9 + 0.001 * seed : 0.5 + 0.002 * seed);
    SyntheticRuns.write(
        folder,
        setting("mnist-lenet5"),
        methods("random", "alfamix"),
        5,
        steps("alfamix", "random"));
    DataTable percentages = table("percentages").forPrograms();
    assertEquals((100 + 40) / 2.0, cell(percentages, "MLP", "random"));
    assertEquals(0.0, cell(percentages, "LeNet-5", "random"));
    assertEquals(98.0, cell(percentages, "MLP", "random (paper)"));
    assertEquals(140 / 3.0, (double) cell(percentages, "all", "random"), 1e-9);
    assertEquals(100 / 2.0, (double) cell(percentages, "small", "random"), 1e-9);
    assertEquals(40.0, (double) cell(percentages, "large", "random"), 1e-9);
    assertEquals(3L, cell(percentages, "all", "settings"));
    assertEquals(
        100 / 2.0, (double) cell(percentages, "low-data regime", "random"), 1e-9, "two small");
    DataTable all = table("all-penalties");
    assertEquals(1.4, (double) cell(all, "alfamix", "random"), 1e-9);
    assertEquals(1.0, (double) cell(all, "random", "alfamix"), 1e-9);
    assertEquals(1.4, (double) cell(all, "mean", "random"), 1e-9);
  }

  @Test
  void includesRowsOfCustomGroups() throws IOException {
    for (String kind : List.of("sound", "text")) {
      Path file = folder.resolve(kind + ".yaml");
      Files.writeString(
          file,
          "data: digits\nnetwork: mlp\ninitial: 20\nbudget: 20\nrounds: 2\ngroups: {data: "
              + kind
              + "}\n");
      SyntheticRuns.write(
          folder.resolve("runs"),
          Settings.read(file),
          methods("random", "alfamix"),
          2,
          steps("random", "alfamix"));
    }
    List<List<Cell>> rows =
        Report.of(Results.read(folder.resolve("runs"))).tables().stream()
            .filter(table -> table.id().equals("percentages"))
            .findFirst()
            .orElseThrow()
            .rows();
    assertEquals(
        List.of("sound", "text", "all"), rows.stream().map(row -> row.get(1).value()).toList());
  }

  @Test
  void ignoresRoundZeroInComparisons() {
    SyntheticRuns.write(
        folder,
        setting("digits-mlp"),
        methods("random", "alfamix"),
        3,
        (method, seed, round) -> method.equals("alfamix") && round == 0 ? 0.9 : 0.5 + 0.01 * seed);
    assertEquals(0.0, cell(table("penalties-digits-mlp"), "alfamix", "random"));
  }

  @Test
  void showsTimesBesideThePapers() {
    SyntheticRuns.write(
        folder, setting("mnist-mlp"), methods("random", "badge"), 2, steps("random", "badge"));
    DataTable times = table("times");
    assertEquals(0.5, (double) cell(times, "badge", "acquire"), 1e-9);
    assertEquals(50.0, cell(times, "badge", "acquire (paper)"));
    assertEquals(null, cell(times, "random", "acquire (paper)"));
  }

  @Test
  void showsAccuraciesOfThePaperForVideos() {
    SyntheticRuns.write(
        folder,
        setting("hmdb51-mvit"),
        methods("random", "alfamix"),
        2,
        steps("random", "alfamix"));
    DataTable accuracies = table("accuracy-hmdb51-mvit");
    assertEquals(56.7, cell(accuracies, "random (paper)", "204 labels"));
    assertEquals(62.5, cell(accuracies, "alfamix (paper)", "204 labels"));
    assertEquals(78.3, cell(accuracies, "alfamix (paper)", "1530 labels"));
    assertTrue(report().html().contains("62.5 ± 0.6"), "with its deviation");
  }

  /** Compares the paper's percentages with the table that they were copied from. */
  @Test
  void percentagesOfThePaperMatchTheTable() throws IOException {
    List<String> columns =
        List.of("random", "entropy", "bald", "coreset", "gcnal", "cdal", "badge");
    int compared = 0;
    for (Map<String, String> row : PaperTables.read("percentages.csv")) {
      for (String[] group : Paper.groups()) {
        if (row.get("group").equals(group[1])) {
          for (String column : columns) {
            assertEquals(
                Double.parseDouble(row.get(column)),
                Paper.percentage(group[0], group[1], column).orElseThrow(),
                row.toString());
            compared++;
          }
        }
      }
    }
    assertEquals(13 * 7, compared);
  }

  @Test
  void limitsTheLowDataRegimeToFiveRounds() {
    SyntheticRuns.write(
        folder,
        setting("mnist-mlp"),
        methods("random", "alfamix"),
        3,
        (method, seed, round) ->
            method.equals("alfamix") && round > 5 ? 0.9 + 0.001 * seed : 0.5 + 0.002 * seed);
    DataTable percentages = table("percentages");
    assertEquals(50.0, (double) cell(percentages, "MLP", "random"), 1e-9);
    assertEquals(0.0, (double) cell(percentages, "low-data regime", "random"), 1e-9);
  }

  @Test
  void showsQueryStatisticsAndFlipsOfTheRuns() {
    SyntheticRuns.write(
        folder, setting("digits-mlp"), methods("random", "alfamix"), 2, steps("random", "alfamix"));
    assertEquals(0.51, (double) at("confidence-digits-mlp", "alfamix", 40, "mean"), 1e-9);
    assertEquals(0.2, (double) at("margin-digits-mlp", "random", 40, "mean"), 1e-9);
    assertEquals(2.0, (double) at("label-entropy-digits-mlp", "random", 40, "mean"), 1e-9);
    assertEquals(3.0, (double) at("pair-entropy-digits-mlp", "random", 40, "mean"), 1e-9);
    assertEquals(490.0, (double) at("flipped-digits-mlp", "alfamix", 40, "flipped"), 1e-9);
    assertEquals(0.2, (double) at("flipped-digits-mlp", "alfamix", 40, "cap"), 1e-9);
    assertTrue(
        table("flipped-digits-mlp").rows().stream()
            .noneMatch(row -> "random".equals(row.get(0).value())),
        "only methods that mix can flip");
  }

  private Object at(String id, String method, long labels, String column) {
    DataTable table = table(id);
    return table.rows().stream()
        .filter(row -> row.get(0).value().equals(method) && row.get(1).value().equals(labels))
        .findFirst()
        .orElseThrow()
        .get(table.columns().indexOf(column))
        .value();
  }

  @Test
  void writesDeviationsToCsv() {
    SyntheticRuns.write(
        folder, setting("digits-mlp"), methods("random", "alfamix"), 3, steps("random", "alfamix"));
    String csv = report().tables(TableFormat.CSV);
    assertTrue(csv.contains("\"final accuracy, %\",\"final accuracy, % deviation\","), csv);
    assertTrue(csv.contains("acquire,acquire deviation"), csv);
  }

  @Test
  void pageDoesNotDependOnTheLocale() {
    for (String name : List.of("mnist-mlp", "letter-mlp")) {
      SyntheticRuns.write(
          folder, setting(name), methods("random", "alfamix"), 2, steps("random", "alfamix"));
    }
    String page = report().html();
    Locale before = Locale.getDefault();
    try {
      for (Locale locale : List.of(Locale.GERMANY, Locale.forLanguageTag("tr-TR"))) {
        Locale.setDefault(locale);
        assertEquals(page, report().html(), locale.toString());
        assertEquals(83, Settings.all().size(), locale.toString());
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void namesUnreadableRunsAndShowsTheOthers() throws IOException {
    SyntheticRuns.write(
        folder, setting("digits-mlp"), methods("random", "alfamix"), 2, steps("random", "alfamix"));
    Path broken = folder.resolve("digits-mlp").resolve("random-seed-2.jsonl");
    Files.writeString(broken, "{\n");
    assertTrue(report().html().contains(broken.getFileName() + ", line 1"));
    assertEquals(2L, cell(table("summary-digits-mlp"), "alfamix", "seeds"));
  }

  /** In the paper's table, each factor averages to the row of all settings, except for images. */
  @Test
  void rowsOfThePaperAreConsistentExceptForImages() {
    Map<String, Map<String, Integer>> sizes =
        Map.of(
            "architecture",
            Map.of("MLP", 8, "LeNet-5", 5, "ResNet-18", 7, "DenseNet-121", 7, "ViT", 3),
            "initialization",
            Map.of("random", 18, "pre-trained", 9, "continue", 3),
            "budget",
            Map.of("small", 22, "large", 8));
    for (String method :
        List.of("random", "entropy", "bald", "coreset", "gcnal", "cdal", "badge")) {
      double all = Paper.percentage("all", "all", method).orElseThrow();
      sizes.forEach(
          (factor, levels) -> {
            double sum =
                levels.entrySet().stream()
                    .mapToDouble(
                        each ->
                            each.getValue()
                                * Paper.percentage(factor, each.getKey(), method).orElseThrow())
                    .sum();
            assertEquals(all, sum / 30, 1.2, factor + ", " + method);
          });
    }
    double images =
        (28 * Paper.percentage("data", "image", "random").orElseThrow()
                + 2 * Paper.percentage("data", "OpenML", "random").orElseThrow())
            / 30;
    assertTrue(images < 76, "the row of images is inconsistent: " + images);
  }

  @Test
  void omitsAndNamesIncompleteRuns() throws IOException {
    Setting setting = setting("digits-mlp");
    SyntheticRuns.write(
        folder, setting, methods("random", "alfamix"), 3, steps("random", "alfamix"));
    Path run = folder.resolve("digits-mlp").resolve("alfamix-seed-2.jsonl");
    List<String> lines = Files.readAllLines(run);
    Files.writeString(run, String.join("\n", lines.subList(0, 4)) + "\n{\"round\":3,");
    String page = report().html();
    assertTrue(page.contains("1 run is incomplete or unreadable and is omitted: "), "note");
    assertTrue(page.contains("alfamix-seed-2.jsonl: 3 of 9 rounds"), "named");
    assertEquals(2L, cell(table("summary-digits-mlp"), "alfamix", "seeds"));
    assertEquals(3L, cell(table("summary-digits-mlp"), "random", "seeds"));
  }

  /** A copy under another name and a run of another setting do not belong to the setting. */
  @Test
  void namesRunsOfOtherSettings() throws IOException {
    Setting setting = setting("digits-mlp");
    SyntheticRuns.write(
        folder, setting, methods("random", "alfamix"), 3, steps("random", "alfamix"));
    Path own = folder.resolve("digits-mlp");
    Files.copy(
        own.resolve("alfamix-seed-1.jsonl"),
        own.resolve("random-seed-1.jsonl"),
        StandardCopyOption.REPLACE_EXISTING);
    Path other = own.resolve("random-seed-2.jsonl");
    Files.writeString(
        other,
        Files.readString(other).replaceFirst("\"network\":\"mlp\"", "\"network\":\"lenet5\""));
    String page = report().html();
    assertTrue(
        page.contains("random-seed-1.jsonl: contains the run of alfamix-seed-1.jsonl"), page);
    assertTrue(page.contains("was run with network 'lenet5', but setting.yaml has 'mlp'"), page);
    assertEquals(1L, cell(table("summary-digits-mlp"), "random", "seeds"));
    assertEquals(
        null, cell(table("summary-digits-mlp"), "alfamix", "from"), "of one pair of seeds");
    assertEquals(null, cell(table("penalties-digits-mlp"), "alfamix", "random"));
    assertTrue(page.contains("fewer than two seeds in common"));
  }

  /** While rounds are being added, the report shows the rounds that most runs have. */
  @Test
  void showsCompletedRoundsWhileOthersAreRunning() throws IOException {
    Setting setting = setting("digits-mlp");
    SyntheticRuns.write(
        folder, setting, methods("random", "alfamix"), 3, steps("random", "alfamix"));
    for (int seed = 1; seed <= 3; seed++) {
      for (String method : List.of("random", "alfamix")) {
        Path run = folder.resolve("digits-mlp").resolve(method + "-seed-" + seed + ".jsonl");
        List<String> lines = Files.readAllLines(run);
        int kept = seed == 1 && method.equals("random") ? 6 : 4;
        Files.writeString(run, String.join("\n", lines.subList(0, kept)) + "\n");
      }
    }
    String page = report().html();
    assertTrue(page.contains("Completed so far: 2 of 8 rounds."), "rounds that all runs have");
    assertEquals(4, table("accuracy-digits-mlp").columns().size());
  }

  @Test
  void warnsOfFewSeedsUnlessTheThresholdIsCustom() {
    SyntheticRuns.write(
        folder,
        setting("ablation-alpha"),
        setting("ablation-alpha").methods(),
        2,
        (method, seed, round) -> 0.5 + 0.01 * round + 0.001 * seed * method.length());
    assertTrue(report().html().contains("The threshold is for five seeds; with 2"), "warning");
    assertFalse(
        Report.of(Results.read(folder), 12.7).html().contains("threshold is for five seeds"));
  }

  @Test
  void showsOtherSettingsIfOneIsBroken() throws IOException {
    SyntheticRuns.write(
        folder, setting("digits-mlp"), methods("random", "alfamix"), 2, steps("random", "alfamix"));
    Files.createDirectories(folder.resolve("other"));
    Files.writeString(folder.resolve("other").resolve("setting.yaml"), "data: [");
    assertTrue(report().html().contains("setting.yaml"), "it is named");
  }

  /** Runs that are longer than the setting that is stored with them. */
  @Test
  void limitsTheLowDataRegimeToTheRoundsOfTheSetting() {
    Setting setting = setting("mnist-mlp");
    SyntheticRuns.write(
        folder, setting, methods("random", "alfamix"), 3, steps("random", "alfamix"));
    SyntheticRuns.write(folder, setting.withRounds(2), methods("badge"), 3, steps("badge"));
    assertEquals(3, table("accuracy-mnist-mlp").rows().size(), "three methods");
    assertEquals(100.0, (double) cell(table("percentages"), "low-data regime", "badge"), 1e-9);
  }

  @Test
  void rejectsFoldersWithoutRuns() {
    assertTrue(
        assertThrows(DataException.class, () -> Results.read(folder))
            .getMessage()
            .contains(": expected runs of the lab, found none."));
    assertTrue(
        assertThrows(DataException.class, () -> Results.read(folder.resolve("x")))
            .getMessage()
            .contains(": no such folder."));
  }

  @Test
  void reportsOnOneSeedAndOneMethod() {
    SyntheticRuns.write(folder, setting("figure-tsne"), methods("alfamix"), 1, steps("alfamix"));
    String page = report().html();
    assertFalse(page.contains("NaN"), "no NaN in texts");
    assertTrue(page.contains("picks of alfamix"));
  }

  @Test
  void writesTablesAsCsvJsonAndLatex() {
    SyntheticRuns.write(
        folder,
        setting("digits-mlp"),
        methods("random", "alfamix", "alfamix:picks=uniform,grow=false"),
        2,
        steps("random", "alfamix:picks=uniform,grow=false", "alfamix"));
    String csv = report().tables(TableFormat.CSV);
    assertTrue(csv.contains("# summary-digits-mlp: Summary, digits-mlp\nmethod,seeds,"), csv);
    assertTrue(csv.contains("\n\"alfamix:picks=uniform,grow=false\",2,"), csv);
    JsonTree json = JsonTree.parse("tables", report().tables(TableFormat.JSON));
    assertEquals(3, json.get("summary-digits-mlp").get("rows").list().size());
    String latex = report().tables(TableFormat.LATEX);
    assertTrue(latex.contains("\\begin{tabular}{lrrrrrr}"), latex);
    assertTrue(latex.lines().count() < 200, "without the points of figures");
    assertTrue(latex.contains("final accuracy, \\%"), latex);
    assertTrue(latex.contains(" $\\pm$ "), latex);
    assertFalse(latex.contains("±"), latex);
    List<String> files = report().writeTables(folder);
    assertTrue(files.contains("percentages.csv"), files.toString());
    assertEquals(files.size(), Set.copyOf(files).size(), "no two tables in one file");
    assertEquals(files.size(), report().tables().size());
    assertTrue(Files.exists(folder.resolve("summary-digits-mlp.csv")));
  }

  @Test
  void escapesCustomNames() throws IOException {
    Path file = folder.resolve("odd.yaml");
    Files.writeString(
        file,
        """
        title: "</script><b>\\"bold\\" & 'odd' {{x}}"
        data: digits
        network: mlp
        initial: 20
        budget: 20
        rounds: 2
        strategies:
          - name: "</svg><script>alert(1)</script>"
            strategy: random
          - name: "µ % _ # $"
            strategy: entropy
        """);
    Setting odd = Settings.read(file);
    Path runs = folder.resolve("runs");
    SyntheticRuns.write(runs, odd, odd.methods(), 2, (method, seed, round) -> 0.5 + 0.1 * round);
    String page = Report.of(Results.read(runs)).html();
    assertFalse(page.contains("<script>alert"), "unescaped script");
    assertFalse(page.contains("<b>\"bold"), "unescaped markup");
    assertTrue(
        Report.of(Results.read(runs)).tables(TableFormat.LATEX).contains("µ \\% \\_ \\# \\$"));
  }
}
