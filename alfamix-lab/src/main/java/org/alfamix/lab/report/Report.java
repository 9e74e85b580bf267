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

/** Tables and figures of a folder of results. */
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

  /** With the paper's threshold. */
  public static Report of(Results results) {
    return of(results, Victories.THRESHOLD);
  }

  /**
   * @param threshold the t-score from which a round is a victory
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
                ? "A number in brackets: in place of that setting of the paper, with other data."
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

  /** All tables, those behind the figures among them. */
  List<DataTable> tables() {
    return sections.stream().flatMap(Section::tables).toList();
  }

  /** The tables as a text; for a paper those that people can read. */
  public String tables(TableFormat format) {
    return format.write(
        format == TableFormat.LATEX || format == TableFormat.MARKDOWN
            ? sections.stream().flatMap(Section::readableTables).toList()
            : tables());
  }

  /** A table by its id. */
  DataTable table(String id) {
    return tables().stream()
        .filter(table -> table.id().equals(id))
        .findFirst()
        .orElseThrow(() -> new InvalidRequestException("There is no table '" + id + "'."));
  }

  /** Writes every table to a CSV file of its own; the names of the files. */
  public List<String> writeTables(Path folder) {
    Map<String, AtomicFile.StreamWriter> files = new LinkedHashMap<>();
    tables().forEach(table -> add(files, table.id(), ".csv", TableFormat.csv(table)));
    AtomicFile.writeAll(folder, files);
    return List.copyOf(files.keySet());
  }

  /** Writes every figure to an SVG file of its own; the names of the files. */
  public List<String> writeFigures(Path folder) {
    Map<String, AtomicFile.StreamWriter> files = new LinkedHashMap<>();
    figures().forEach((id, svg) -> add(files, id, ".svg", svg));
    AtomicFile.writeAll(folder, files);
    return List.copyOf(files.keySet());
  }

  /** Every figure as a text of its own, by its id; where two have the same, the first. */
  Map<String, String> figures() {
    String css = Paper.resource("report.css");
    Map<String, String> figures = new LinkedHashMap<>();
    sections.stream()
        .flatMap(Section::figures)
        .forEach(figure -> figures.putIfAbsent(figure.data().id(), figure.standalone(css)));
    return figures;
  }

  /** Under a name that is still free. */
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

  /** The page: one file with everything in it. */
  public String html() {
    return new Page(results, sections).html();
  }

  /** Writes the page, as a whole or not at all. */
  public void write(Path file) {
    byte[] page = html().getBytes(StandardCharsets.UTF_8);
    AtomicFile.write(file, out -> out.write(page));
  }
}
