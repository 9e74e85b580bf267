package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.alfamix.lab.statistics.PenaltyMatrix;
import org.alfamix.lab.statistics.VictoryShare;

/**
 * Percentages of rounds that ALFA-Mix wins against each method, by group, with the paper's numbers.
 */
final class Percentages {
  static final String OURS = "alfamix";

  private final Comparison comparison;

  Percentages(Comparison comparison) {
    this.comparison = comparison;
  }

  /** A row of the paper's table: a factor and one of its levels. */
  private record Group(String factor, String level) {
    boolean has(Setting setting) {
      return factor.equals("all") || level.equals(setting.groups().get(factor));
    }
  }

  /**
   * Returns a table of the paper's settings, one that includes stand-ins, and one of all settings
   * if some are unrelated to the paper.
   */
  List<DataTable> tables(List<SettingResults> settings) {
    List<SettingResults> own = ofThePaper(settings);
    List<SettingResults> withStandIns =
        settings.stream().filter(each -> isOfThePaper(each, own, settings)).toList();
    List<DataTable> tables = new ArrayList<>();
    if (!own.isEmpty()) {
      tables.addAll(of("percentages", ", the paper's settings", own, true));
    }
    if (withStandIns.size() > own.size()) {
      String title = ", with stand-in settings";
      tables.addAll(of("percentages-with-stand-ins", title, withStandIns, true));
    }
    if (withStandIns.size() < settings.size()) {
      tables.addAll(of(own.isEmpty() ? "percentages" : "percentages-of-all", "", settings, false));
    }
    return tables;
  }

  /** Returns the paper's settings; of two with the same number, the one that is listed first. */
  static List<SettingResults> ofThePaper(List<SettingResults> settings) {
    Map<String, SettingResults> byNumber = new LinkedHashMap<>();
    settings.stream()
        .filter(each -> each.setting().paper().isPresent())
        .sorted(Comparator.comparingInt(Percentages::listPosition))
        .forEach(each -> byNumber.putIfAbsent(each.setting().paper().orElseThrow(), each));
    return settings.stream().filter(byNumber::containsValue).toList();
  }

  /** Returns the position of a setting in the list; custom settings come last. */
  private static int listPosition(SettingResults results) {
    int at = Settings.names().indexOf(results.setting().name());
    return at < 0 ? Settings.names().size() : at;
  }

  /**
   * Returns whether a setting counts; a stand-in does if there is neither the original nor a closer
   * one.
   */
  private static boolean isOfThePaper(
      SettingResults results, List<SettingResults> own, List<SettingResults> all) {
    Optional<String> number = results.setting().standsInFor();
    return own.contains(results)
        || number.isPresent()
            && own.stream().noneMatch(each -> each.setting().paper().equals(number))
            && results == closest(number, all);
  }

  /** Returns the stand-in for a setting that is listed first. */
  private static SettingResults closest(Optional<String> number, List<SettingResults> all) {
    return all.stream()
        .filter(each -> each.setting().standsInFor().equals(number))
        .min(Comparator.comparingInt(Percentages::listPosition))
        .orElseThrow();
  }

  private List<DataTable> of(
      String id, String which, List<SettingResults> settings, boolean ofThePaper) {
    List<String> others = new ArrayList<>(comparison.matrix(settings).methods());
    others.remove(OURS);
    List<String> columns = new ArrayList<>(List.of("factor", "level", "settings"));
    columns.addAll(others);
    DataTable table =
        new DataTable(
            id,
            "Percentage of rounds won by alfamix against each method" + which,
            ofThePaper ? note(settings) : "",
            columns);
    for (Group group : groups(settings)) {
      List<SettingResults> of =
          settings.stream().filter(each -> group.has(each.setting())).toList();
      if (!of.isEmpty()) {
        table.add(row(group, of.size(), comparison.matrix(of), others, ofThePaper));
      }
    }
    PenaltyMatrix low = comparison.lowData(settings);
    if (!low.methods().isEmpty()) {
      Group regime = new Group("low-data regime", "at most 5 rounds");
      table.add(row(regime, low.maximum(), low, others, ofThePaper));
    }
    return ofThePaper && settings.size() > 1
        ? List.of(table, closeness(id, which, settings, others))
        : List.of(table);
  }

  private static String note(List<SettingResults> settings) {
    String standIns =
        settings.stream()
            .filter(each -> each.setting().standsInFor().isPresent())
            .map(
                each ->
                    each.setting().name() + " for " + each.setting().standsInFor().orElseThrow())
            .collect(Collectors.joining(", "));
    return "In brackets: the paper's percentage over all its settings of the group, not only those"
        + " that were run here. A method that was not run in a setting is compared in the other"
        + " settings only."
        + (standIns.isEmpty() ? "" : " Stand-ins: " + standIns + ".");
  }

  /** Returns the paper's groups in its order, then custom groups. */
  private static List<Group> groups(List<SettingResults> settings) {
    List<Group> groups =
        new ArrayList<>(
            Paper.groups().stream().map(group -> new Group(group[0], group[1])).toList());
    for (SettingResults each : settings) {
      each.setting()
          .groups()
          .forEach(
              (factor, level) -> {
                Group group = new Group(factor, level);
                if (!groups.contains(group)) {
                  groups.add(groups.size() - 1, group); // 'all' is last
                }
              });
    }
    return groups;
  }

  private static List<Cell> row(
      Group group, int count, PenaltyMatrix matrix, List<String> others, boolean ofThePaper) {
    List<Cell> row = new ArrayList<>();
    row.add(Cell.text(group.factor));
    row.add(Cell.text(group.level));
    row.add(Cell.count(count));
    for (String other : others) {
      double percent = matrix.percent(OURS, other);
      row.add(
          ofThePaper ? Cell.withPaperValue(percent, paper(group, other)) : Cell.number(percent, 0));
    }
    return row;
  }

  /** Returns the paper's number; variants such as bald:rate=0 use that of their method. */
  private static double paper(Group group, String method) {
    return Paper.percentage(group.factor, group.level, method.replaceFirst(":.*", ""))
        .orElse(Double.NaN);
  }

  /** Returns the differences from the paper, with intervals of our percentages. */
  private DataTable closeness(
      String id, String which, List<SettingResults> settings, List<String> others) {
    DataTable table =
        new DataTable(
            id.replace("percentages", "closeness"),
            "Differences from the paper" + which,
            "Percentage of rounds won by alfamix against the method. From and to: an interval for"
                + " our percentage, estimated from the spread over seeds; in simulations it"
                + " contained the true value in 82 to 100 % of the cases. Bounds: the values for"
                + " the same settings that are consistent with the paper's table. The interval of"
                + " the paper's percentage is not known.",
            List.of(
                "factor",
                "level",
                "method",
                "settings",
                "ours",
                "from",
                "to",
                "paper",
                "bounds",
                "difference"));
    for (Group group : groups(settings)) {
      List<SettingResults> of =
          settings.stream().filter(each -> group.has(each.setting())).toList();
      for (String other : others) {
        double paper = paper(group, other);
        List<SettingResults> compared = Comparison.comparable(of, OURS, other);
        if (!Double.isNaN(paper) && !compared.isEmpty()) {
          VictoryShare share = comparison.share(compared, OURS, other).orElseThrow();
          table.add(
              Cell.text(group.factor),
              Cell.text(group.level),
              Cell.text(other),
              Cell.count(compared.size()),
              Cell.number(100 * share.share(), 0),
              Cell.number(100 * share.low(), 0),
              Cell.number(100 * share.high(), 0),
              Cell.number(paper, 0),
              bounds(compared, other),
              Cell.signed(100 * share.share() - paper));
        }
      }
    }
    return table;
  }

  /** Returns the bounds of the paper's value in the settings that were compared. */
  private static Cell bounds(List<SettingResults> settings, String other) {
    List<String> numbers =
        settings.stream()
            .flatMap(each -> each.setting().paper().or(each.setting()::standsInFor).stream())
            .toList();
    return PaperBounds.of(numbers, other.replaceFirst(":.*", ""))
        .map(range -> Cell.text(range.toString()))
        .orElse(Cell.EMPTY);
  }

  /** Returns a bar chart of the paper's settings, like the paper's Figure 3. */
  Optional<Figure> figure(List<SettingResults> settings) {
    List<SettingResults> own = ofThePaper(settings);
    if (own.size() < 2) {
      return Optional.empty();
    }
    List<String> others =
        comparison.matrix(own).methods().stream().filter(name -> !name.equals(OURS)).toList();
    List<String> names = new ArrayList<>();
    List<double[]> values = new ArrayList<>();
    List<double[]> papers = new ArrayList<>();
    DataTable table =
        new DataTable(
            "victories",
            "Percentage of rounds won by alfamix against each method",
            "",
            List.of("factor", "level", "method", "ours", "paper"));
    for (Group group : groups(own)) {
      List<SettingResults> of = own.stream().filter(each -> group.has(each.setting())).toList();
      if (of.isEmpty()) {
        continue;
      }
      PenaltyMatrix matrix = comparison.matrix(of);
      names.add("%s (%d)".formatted(group.level, of.size()));
      values.add(others.stream().mapToDouble(other -> matrix.percent(OURS, other)).toArray());
      papers.add(others.stream().mapToDouble(other -> paper(group, other)).toArray());
      for (String other : others) {
        table.add(
            Cell.text(group.factor),
            Cell.text(group.level),
            Cell.text(other),
            Cell.number(matrix.percent(OURS, other), 1),
            Cell.number(paper(group, other), 0));
      }
    }
    return Optional.of(
        new Figure(
            new BarChart(
                    "Percentage of rounds won by alfamix",
                    names,
                    others,
                    values.toArray(double[][]::new),
                    papers.toArray(double[][]::new))
                .svg(),
            "Percentage of rounds won by alfamix against each method, by group; the number of our"
                + " settings is in brackets. Lines across the bars: the paper's percentages, over"
                + " all its settings of the group.",
            table));
  }
}
