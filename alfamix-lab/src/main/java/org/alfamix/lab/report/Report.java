package org.alfamix.lab.report;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.AtomicFile;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.statistics.Victories;

/** A report on a folder of results: tables, figures, and an HTML page. */
public final class Report {
  private final Results results;
  private final List<Section> sections = new ArrayList<>();

  private Report(Results results, double threshold) {
    this.results = results;
    Comparison comparison = new Comparison(threshold);
    sections.add(overview(results));
    for (SettingResults setting : results.settings()) {
      sections.add(SettingSection.of(setting, comparison));
    }
    ComparisonSection.of(results.settings(), comparison)
        .ifPresent(
            section -> sections.add(results.settings().size() == 1 ? sections.size() : 1, section));
    sections.add(RunsSection.times(results.settings()));
    sections.add(RunsSection.provenance(results));
  }

  /** Creates a report with the paper's threshold for victories. */
  public static Report of(Results results) {
    return of(results, Victories.THRESHOLD);
  }

  /**
   * Creates a report.
   *
   * @param threshold the t-score above which a round is a victory
   */
  public static Report of(Results results, double threshold) {
    return new Report(results, threshold);
  }

  private static Section overview(Results results) {
    Section section = new Section("overview", "Settings", "");
    DataTable table =
        new DataTable(
            "settings",
            "Settings",
            results.settings().stream().anyMatch(each -> each.setting().standsInFor().isPresent())
                ? "A number in brackets: the setting stands in for that setting of the paper, with"
                    + " other data."
                : "",
            List.of("setting", "paper", "data", "network", "start", "labels", "methods", "seeds"));
    for (SettingResults each : results.settings()) {
      Setting setting = each.setting();
      table.add(
          Cell.text(setting.name()),
          setting
              .paper()
              .or(() -> setting.standsInFor().map(number -> "(" + number + ")"))
              .map(Cell::text)
              .orElse(Cell.EMPTY),
          Cell.text(setting.data().name()),
          Cell.text(setting.model().network()),
          Cell.text(setting.model().start().toString()),
          Cell.text(setting.schedule().toString()),
          Cell.count(each.methods().size()),
          Cell.count(each.seeds()));
    }
    return section.add(new Section.Part("", List.of(), List.of(table)));
  }

  /** Returns all tables, including the data of figures. */
  List<DataTable> tables() {
    return sections.stream().flatMap(Section::tables).toList();
  }

  /** Returns the tables as text; LaTeX and Markdown omit the data of most figures. */
  public String tables(TableFormat format) {
    return format.write(
        format == TableFormat.LATEX || format == TableFormat.MARKDOWN
            ? sections.stream().flatMap(Section::readableTables).toList()
            : tables());
  }

  /** Returns a table by its id. */
  DataTable table(String id) {
    return tables().stream()
        .filter(table -> table.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new InvalidRequestException("Unknown table '" + id + "'."));
  }

  /** Writes every table to a separate CSV file; returns the names of the files. */
  public List<String> writeTables(Path folder) {
    Map<String, AtomicFile.StreamWriter> files = new LinkedHashMap<>();
    tables().forEach(table -> add(files, table.id(), ".csv", TableFormat.csv(table)));
    AtomicFile.writeAll(folder, files);
    return List.copyOf(files.keySet());
  }

  /** Writes every figure to a separate SVG file; returns the names of the files. */
  public List<String> writeFigures(Path folder) {
    Map<String, AtomicFile.StreamWriter> files = new LinkedHashMap<>();
    figures().forEach((id, svg) -> add(files, id, ".svg", svg));
    AtomicFile.writeAll(folder, files);
    return List.copyOf(files.keySet());
  }

  /** Returns the SVG text of every figure by its id; of several with the same id, the first. */
  Map<String, String> figures() {
    String css = Paper.resource("report.css");
    Map<String, String> figures = new LinkedHashMap<>();
    sections.stream()
        .flatMap(Section::figures)
        .forEach(figure -> figures.putIfAbsent(figure.data().id(), figure.standalone(css)));
    return figures;
  }

  /** Adds a file under an unused name. */
  private static void add(
      Map<String, AtomicFile.StreamWriter> files, String id, String end, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    String name = id.replaceAll("[^\\w.+-]", "_");
    String free = name;
    for (int i = 2; files.containsKey(free + end); i++) {
      free = name + "-" + i;
    }
    files.put(free + end, out -> out.write(bytes));
  }

  /** Returns the self-contained HTML page. */
  public String html() {
    return new Page(results, sections).html();
  }

  /** Writes the page atomically. */
  public void write(Path file) {
    byte[] page = html().getBytes(StandardCharsets.UTF_8);
    AtomicFile.write(file, out -> out.write(page));
  }
}
