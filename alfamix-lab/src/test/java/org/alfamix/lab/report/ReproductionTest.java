package org.alfamix.lab.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.lab.setting.Method;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Compares tables and figures of the documentation with those of the committed runs. With {@code
 * -Dalfamix.write-docs} they are written instead.
 *
 * <p>In a document a table is between {@code <!-- table: ID -->} and {@code <!-- end -->}; after
 * the ID, {@code rows: A|B} selects rows that start with these words, and {@code columns: A|B}
 * selects columns.
 */
class ReproductionTest {
  private static final Path ROOT = Path.of("..");
  private static final Path GUIDE = ROOT.resolve("docs/background/reproduction.md");
  private static final Path FIGURES = ROOT.resolve("docs/background/reproduction");
  private static final boolean WRITE = System.getProperty("alfamix.write-docs") != null;
  private static final Pattern TABLE =
      Pattern.compile(
          "<!-- table: ([\\w-]+)(?: rows: ([^>]*?))?(?: columns: ([^>]*?))? -->\n(.*?)<!-- end -->",
          Pattern.DOTALL);

  private static Report report;
  private static Results results;

  @BeforeAll
  static void readResults() {
    results = Results.read(ROOT.resolve("results"));
    report = Report.of(results);
  }

  private static String table(String id, String rows, String columns) {
    DataTable whole = report.table(id);
    List<String> names = columns == null ? whole.columns() : List.of(columns.split("\\|"));
    List<Integer> kept = names.stream().map(whole.columns()::indexOf).toList();
    assertFalse(kept.contains(-1), id + " has the columns " + whole.columns());
    DataTable table = new DataTable(id, whole.title(), whole.note(), names);
    Set<String> wanted = rows == null ? Set.of() : Set.of(rows.split("\\|"));
    Set<String> found = new HashSet<>();
    for (List<Cell> row : whole.rows()) {
      List<String> words =
          row.subList(0, Math.min(2, row.size())).stream().map(Cell::shown).toList();
      words.stream().filter(wanted::contains).forEach(found::add);
      if (rows == null || words.stream().anyMatch(wanted::contains)) {
        table.add(kept.stream().map(row::get).toList());
      }
    }
    assertEquals(wanted, found, "rows of " + id);
    return TableFormat.markdown(table);
  }

  private static String withTables(String text) {
    return TABLE
        .matcher(text)
        .replaceAll(
            match -> {
              String head = match.group().substring(0, match.group().indexOf('\n') + 1);
              String table = table(match.group(1), match.group(2), match.group(3));
              return Matcher.quoteReplacement(head + "\n" + table + "\n<!-- end -->");
            });
  }

  @Test
  void tablesInTheDocsMatchTheRuns() throws IOException {
    String text = Files.readString(GUIDE);
    assertTrue(TABLE.matcher(text).find(), GUIDE + " contains no table");
    String made = withTables(text);
    if (WRITE) {
      Files.writeString(GUIDE, made);
    } else {
      assertEquals(made, text, GUIDE.toString());
    }
  }

  @Test
  void savingsInTheReadmeMatchTheRuns() throws IOException {
    DataTable table = report.table("labels-saved");
    int alfamix = table.columns().indexOf("alfamix");
    Map<String, Integer> saved = new TreeMap<>();
    for (List<Cell> row : table.rows()) {
      saved.put(row.get(0).shown(), Integer.parseInt(row.get(alfamix).shown()));
    }
    IntSummaryStatistics small =
        saved.entrySet().stream()
            .filter(entry -> entry.getKey().matches("(mnist-(mlp|lenet5).*|letter-mlp)"))
            .mapToInt(Map.Entry::getValue)
            .summaryStatistics();
    String readme = Files.readString(ROOT.resolve("README.md")).replace('\n', ' ');
    assertEquals(7, small.getCount());
    assertTrue(
        readme.contains(
            "on seven settings, ALFA-Mix needs %d to %d %% fewer labels"
                .formatted(small.getMin(), small.getMax())),
        small.toString());
    assertTrue(
        readme.contains("saves %d %% on SVHN".formatted(saved.get("svhn-cropped-resnet18"))),
        saved.toString());
    assertTrue(saved.get("cifar10-resnet18") <= 0, "none on CIFAR-10");
  }

  /**
   * In the guide, exactly the differences of more than 15 points have a verdict, and none blames
   * settings that were not run if the paper's rows exclude that.
   */
  @Test
  void verdictsAreConsistentWithTheBounds() throws IOException {
    Map<String, String> verdicts = new TreeMap<>();
    Matcher rows =
        Pattern.compile("(?m)^\\| ([\\w-]+) \\| (\\S+) \\| (open|protocol|settings not run) \\|")
            .matcher(Files.readString(GUIDE));
    while (rows.find()) {
      verdicts.put(rows.group(1) + ", " + rows.group(2), rows.group(3));
    }
    Set<String> large = new TreeSet<>();
    for (List<Cell> row : report.table("closeness").rows()) {
      String level = row.get(1).shown();
      double difference = ((Number) row.get(9).value()).doubleValue();
      if (!Set.of("MLP", "LeNet-5", "ResNet-18", "continue").contains(level)
          || Math.abs(difference) <= 15.5) {
        continue;
      }
      String what = level + ", " + row.get(2).shown();
      large.add(what);
      if ("settings not run".equals(verdicts.get(what))) {
        String[] bounds = row.get(8).shown().split("–");
        double ours = ((Number) row.get(4).value()).doubleValue();
        assertTrue(
            ours >= Double.parseDouble(bounds[0]) && ours <= Double.parseDouble(bounds[1]),
            what + ": the bounds " + row.get(8).shown() + " exclude " + ours);
      }
    }
    assertEquals(large, verdicts.keySet());
  }

  /** The folder of figures contains exactly those of the guide, and they match the runs. */
  @Test
  void figuresInTheGuideMatchTheRuns() throws IOException {
    Map<String, String> figures = report.figures();
    Set<String> shown = new TreeSet<>();
    Matcher links =
        Pattern.compile("reproduction/([\\w.+-]+)\\.svg").matcher(Files.readString(GUIDE));
    while (links.find()) {
      shown.add(links.group(1));
    }
    assertFalse(shown.isEmpty());
    for (String name : shown) {
      String made = figures.get(name);
      assertTrue(made != null, "no figure " + name + " of the runs");
      Path file = FIGURES.resolve(name + ".svg");
      if (WRITE) {
        Files.createDirectories(FIGURES);
        Files.writeString(file, made);
      } else {
        assertEquals(made, Files.readString(file), file.toString());
      }
    }
    try (Stream<Path> files = Files.list(FIGURES)) {
      assertEquals(
          shown,
          files
              .map(file -> file.getFileName().toString().replaceFirst("\\.svg$", ""))
              .collect(Collectors.toCollection(TreeSet::new)));
    }
  }

  /** All runs are complete and readable, and small enough for a repository. */
  @Test
  void runsAreComplete() throws IOException {
    assertEquals(List.of(), results.unfinished());
    long size = 0;
    try (Stream<Path> files = Files.walk(results.folder())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        size += Files.size(file);
      }
    }
    assertTrue(size < 20_000_000, size + " bytes");
    List<String> few = new ArrayList<>();
    for (SettingResults each : results.settings()) {
      for (Method method : each.setting().defaultMethods()) {
        int seeds = each.method(method.label()).map(present -> present.runs().size()).orElse(0);
        if (seeds != each.setting().seeds() || each.rounds() != each.planned()) {
          few.add("%s, %s: %d seeds".formatted(each.setting().name(), method.label(), seeds));
        }
      }
    }
    assertEquals(List.of(), few);
  }
}
