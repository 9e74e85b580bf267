package org.alfamix.lab.report;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.alfamix.chart.Svg;
import org.alfamix.lab.run.Provenance;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.statistics.LabelsSaved;

/** A self-contained HTML page with styles, figures, tables and data. */
final class Page {
  private final Results results;

  /** With more settings than this, only those of the paper have a line at the top. */
  private static final int MAX_HEADLINES = 4;

  private final List<Section> sections;
  private final StringBuilder html = new StringBuilder();

  Page(Results results, List<Section> sections) {
    this.results = results;
    this.sections = sections;
  }

  String html() {
    String title =
        results.settings().size() == 1
            ? results.settings().get(0).setting().title()
            : results.settings().size() + " settings";
    html.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    html.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    html.append("<meta name=\"color-scheme\" content=\"light dark\">\n");
    html.append("<title>").append(Svg.escape(title)).append(" – alfamix</title>\n");
    html.append("<style>\n").append(Paper.resource("report.css")).append("</style>\n</head>\n");
    html.append("<body>\n<header>\n<p class=\"brand\">alfamix lab</p>\n<h1>");
    html.append(Svg.escape(title)).append("</h1>\n");
    results.settings().stream()
        .filter(
            setting ->
                results.settings().size() <= MAX_HEADLINES || isOfThePaper(setting.setting()))
        .flatMap(setting -> headline(setting).stream())
        .forEach(line -> html.append("<p class=\"headline\">").append(line).append("</p>\n"));
    navigation();
    html.append("</header>\n<main>\n");
    sections.forEach(this::section);
    html.append("</main>\n<footer>alfamix ")
        .append(Svg.escape(Provenance.version()))
        .append(", ")
        .append(Svg.escape(Provenance.commit()))
        .append("</footer>\n<script>\n")
        .append(Paper.resource("report.js"))
        .append("</script>\n</body>\n</html>\n");
    return html.toString();
  }

  /** Returns whether a setting is one of the paper or a stand-in for one. */
  private static boolean isOfThePaper(Setting setting) {
    return setting.paper().isPresent() || setting.standsInFor().isPresent();
  }

  /** Returns the main result of a setting. */
  private static Optional<String> headline(SettingResults setting) {
    Optional<MethodResults> ours = setting.method("alfamix");
    Optional<MethodResults> random = setting.method("random");
    if (ours.isEmpty() || random.isEmpty()) {
      return Optional.empty();
    }
    double mine = ours.get().means()[setting.rounds()];
    double theirs = random.get().means()[setting.rounds()];
    Optional<LabelsSaved> saved = Comparison.saved(setting, ours.get());
    String text =
        String.format(
            Locale.ROOT,
            "<b>%s</b>: with %,d labels, alfamix reaches <b>%.1f %%</b> and random sampling %.1f"
                + " %%.",
            Svg.escape(setting.setting().name()),
            setting.labels()[setting.rounds()],
            mine,
            theirs);
    return Optional.of(
        text
            + saved
                .map(
                    share ->
                        String.format(
                            Locale.ROOT,
                            " At equal accuracy, alfamix needs <b>%.0f %% %s labels</b>.",
                            100 * Math.abs(share.share()),
                            share.share() < 0 ? "more" : "fewer"))
                .orElse(""));
  }

  private void navigation() {
    html.append("<nav>")
        .append(
            sections.stream()
                .map(
                    section ->
                        "<a href=\"#%s\">%s</a>"
                            .formatted(
                                section.id(),
                                Svg.escape(
                                    section.id().equals("comparison")
                                        ? section.title().toLowerCase(Locale.ROOT)
                                        : section.id().replaceFirst("^setting-", ""))))
                .collect(Collectors.joining("\n")))
        .append("</nav>\n");
  }

  private void section(Section section) {
    html.append(
        "<section id=\"%s\">\n<h2>%s</h2>\n".formatted(section.id(), Svg.escape(section.title())));
    if (!section.text().isEmpty()) {
      html.append("<p>").append(Svg.escape(section.text())).append("</p>\n");
    }
    for (Section.Part part : section.parts()) {
      if (!part.title().isEmpty()) {
        html.append("<h3>").append(Svg.escape(part.title())).append("</h3>\n");
      }
      if (!part.figures().isEmpty()) {
        html.append("<div class=\"figures\">\n");
        part.figures().forEach(this::figure);
        html.append("</div>\n");
      }
      part.tables().forEach(this::table);
    }
    html.append("</section>\n");
  }

  private void figure(Figure figure) {
    String id = figure.data().id();
    html.append(
            "<figure%s id=\"figure-%s\" data-name=\"%s\">\n"
                .formatted(figure.isWide() ? " class=\"wide\"" : "", name(id), name(id)))
        .append(figure.svg())
        .append("\n<figcaption>")
        .append(Svg.escape(figure.caption()))
        .append(
            " <span class=\"get\"><button data-get=\"svg\">SVG</button><button"
                + " data-get=\"csv\">CSV</button></span>")
        .append("</figcaption>\n");
    data(figure.data());
    html.append("</figure>\n");
  }

  private void table(DataTable table) {
    html.append(
        "<figure class=\"table\" id=\"table-%s\" data-name=\"%s\">\n<div class=\"scroll\"><table>\n"
            .formatted(name(table.id()), name(table.id())));
    html.append("<thead><tr>");
    for (int c = 0; c < table.columns().size(); c++) {
      html.append(table.isNumeric(c) ? "<th class=\"n\">" : "<th>")
          .append(Svg.escape(table.columns().get(c)))
          .append("</th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
    for (List<Cell> row : table.rows()) {
      html.append("<tr>");
      for (int c = 0; c < row.size(); c++) {
        html.append(table.isNumeric(c) ? "<td class=\"n\">" : "<td>")
            .append(Svg.escape(row.get(c).shown()))
            .append("</td>");
      }
      html.append("</tr>\n");
    }
    html.append("</tbody></table></div>\n<figcaption>")
        .append(Svg.escape(table.title()))
        .append(". ")
        .append(Svg.escape(table.note()))
        .append(" <span class=\"get\"><button data-get=\"csv\">CSV</button></span></figcaption>\n");
    data(table);
    html.append("</figure>\n");
  }

  /** Adds the data that the CSV button saves. */
  private void data(DataTable table) {
    html.append("<pre hidden>").append(Svg.escape(TableFormat.csv(table))).append("</pre>\n");
  }

  private static String name(String id) {
    return id.replaceAll("[^\\w.+-]", "_");
  }
}
