package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.statistics.PenaltyMatrix;

/** The section of a report that compares methods over all settings. */
final class ComparisonSection {
  private final List<SettingResults> settings;

  /** The settings of matrices and ranks: the paper's if there are any, otherwise all. */
  private final List<SettingResults> counted;

  private final List<SettingResults> standIns;
  private final Comparison comparison;

  private ComparisonSection(List<SettingResults> settings, Comparison comparison) {
    this.settings = settings;
    this.comparison = comparison;
    List<SettingResults> own = Percentages.ofThePaper(settings);
    this.counted = own.isEmpty() ? settings : own;
    this.standIns =
        settings.stream().filter(each -> each.setting().standsInFor().isPresent()).toList();
  }

  /**
   * Returns the section over the settings that belong to groups, if there are several, otherwise
   * over all that compare methods without options: variants of an ablation can be compared only
   * with each other. Empty if nothing can be compared.
   */
  static Optional<Section> of(List<SettingResults> all, Comparison comparison) {
    List<SettingResults> comparable =
        all.stream().filter(each -> each.methods().size() >= 2 && each.seeds() >= 2).toList();
    List<SettingResults> grouped =
        comparable.stream().filter(each -> !each.setting().groups().isEmpty()).toList();
    List<SettingResults> plain =
        comparable.stream()
            .filter(each -> each.methods().stream().allMatch(ComparisonSection::isPlain))
            .toList();
    List<SettingResults> settings =
        grouped.size() > 1 ? grouped : plain.isEmpty() && all.size() == 1 ? comparable : plain;
    return settings.isEmpty()
        ? Optional.empty()
        : Optional.of(new ComparisonSection(settings, comparison).section(all));
  }

  private static boolean isPlain(MethodResults method) {
    return method.method().label().equals(method.method().strategy());
  }

  private Section section(List<SettingResults> all) {
    Section section =
        new Section(
            "comparison",
            settings.size() == 1 ? "Ranks" : "All settings",
            ("%d %s%s. A method beats another one in a round if the t-score of their paired"
                    + " accuracies is above %s. Every setting has the same weight; round 0 is not"
                    + " counted.%s")
                .formatted(
                    settings.size(),
                    settings.size() == 1 ? "setting" : "settings",
                    standIns(),
                    comparison.threshold(),
                    comparison.thresholdWarning(
                        settings.stream().mapToInt(SettingResults::fewestSeeds).min().orElse(0))));
    Section.Part overall = new Section.Part("");
    if (settings.size() > 1) {
      boolean subset = counted.size() < settings.size();
      add(overall, "all", subset ? "the paper's settings" : "all settings", matrix(counted));
      if (subset && !standIns.isEmpty()) {
        add(overall, "stand-ins", "stand-in settings", matrix(standIns));
      }
    }
    new Percentages(comparison).figure(settings).ifPresent(overall.figures()::add);
    Comparison.ranking(counted).ifPresent(ranking -> overall.figures().add(figure(ranking)));
    if (settings.stream().anyMatch(each -> each.method("random").isPresent())) {
      overall.tables().add(saved());
    }
    if (settings.stream().anyMatch(each -> each.method(Percentages.OURS).isPresent())) {
      overall.tables().addAll(new Percentages(comparison).tables(settings));
      overall.tables().addAll(new BoundsTables(settings, comparison).tables());
      overall.tables().add(new RoundsLost(comparison).table(counted));
      addUnlessEmpty(overall, new RepeatedExperiments(comparison).table(all));
      addUnlessEmpty(overall, TopUpAndTrainingTables.topUps(all));
      addUnlessEmpty(overall, TopUpAndTrainingTables.unfinishedTraining(all));
    }
    return section.add(overall).add(groups());
  }

  private String standIns() {
    return standIns.isEmpty()
        ? ""
        : "; %d of them replace settings of the paper and are counted separately"
            .formatted(standIns.size());
  }

  private static void addUnlessEmpty(Section.Part part, DataTable table) {
    if (!table.rows().isEmpty()) {
      part.tables().add(table);
    }
  }

  private PenaltyMatrix matrix(List<SettingResults> of) {
    return comparison.matrix(of);
  }

  /** Returns the labels saved of each setting; intervals are in the section of the setting. */
  private DataTable saved() {
    List<String> methods = new ArrayList<>(comparison.matrix(settings).methods());
    methods.remove("random");
    List<String> columns = new ArrayList<>(List.of("setting"));
    columns.addAll(methods);
    DataTable table =
        new DataTable(
            "labels-saved",
            "Labels saved at equal accuracy, against random sampling (%)",
            "Negative: the method needs more labels than random sampling.",
            columns);
    for (SettingResults each : settings) {
      List<Cell> row = new ArrayList<>(List.of(Cell.text(each.setting().name())));
      for (String method : methods) {
        row.add(
            each.method(method)
                .flatMap(results -> Comparison.saved(each, results))
                .map(share -> Cell.number(100 * share.share(), 0))
                .orElse(Cell.EMPTY));
      }
      table.add(row);
    }
    return table;
  }

  private Section.Part groups() {
    Section.Part part = new Section.Part("By group");
    for (String factor : Setting.FACTORS) {
      List<String> levels =
          counted.stream()
              .map(each -> each.setting().groups().get(factor))
              .filter(level -> level != null)
              .distinct()
              .toList();
      if (levels.size() > 1) {
        for (String level : levels) {
          add(
              part,
              "group-" + factor + "-" + level,
              factor + ": " + level,
              comparison.matrix(of(factor, level)));
        }
      }
    }
    PenaltyMatrix low = comparison.lowData(counted);
    if (counted.size() > 1 && !low.methods().isEmpty()) {
      add(part, "low-data", "the low-data regime (first five rounds of small budgets)", low);
    }
    return part;
  }

  private List<SettingResults> of(String factor, String level) {
    return counted.stream()
        .filter(each -> level.equals(each.setting().groups().get(factor)))
        .toList();
  }

  private static void add(Section.Part part, String id, String title, PenaltyMatrix matrix) {
    part.figures()
        .add(
            new Figure(
                new HeatMap("Penalty matrix, " + title, matrix).svg(),
                "Penalty matrix over %s; the largest possible value of a cell is %d.%s"
                    .formatted(title, matrix.maximum(), SettingSection.emptyCells(matrix)),
                SettingSection.matrixTable(
                    id.toLowerCase(Locale.ROOT) + "-penalties", "Penalty matrix, " + title, matrix),
                true));
  }

  private static Figure figure(Comparison.Ranking ranking) {
    DataTable table =
        new DataTable(
            "ranks",
            "Mean ranks",
            "By the area under the learning curve, over " + ranking.blocks() + ".",
            List.of("method", "mean rank", "critical difference"));
    for (int m = 0; m < ranking.methods().size(); m++) {
      table.add(
          Cell.text(ranking.methods().get(m)),
          Cell.number(ranking.ranks().means()[m], 3),
          Cell.number(ranking.ranks().criticalDifference(), 3));
    }
    return new Figure(
        new RankDiagram("Mean ranks", ranking.methods(), ranking.ranks()).svg(),
        "Mean ranks by the area under the learning curve, over %s. Bars connect methods that do not differ significantly (Nemenyi test, 5 %%)."
            .formatted(ranking.blocks()),
        table,
        true);
  }
}
