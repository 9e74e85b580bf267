package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.statistics.VictoryShare;

/** Tables of our shares of rounds won, with the bounds that the paper's table implies. */
final class BoundsTables {
  private static final String OUTSIDE = "†";
  private static final String FAR_OUTSIDE = "‡";

  private final List<SettingResults> settings;
  private final Comparison comparison;

  /**
   * @param settings the paper's settings and stand-ins for them
   */
  BoundsTables(List<SettingResults> settings, Comparison comparison) {
    this.settings =
        settings.stream().filter(each -> each.method(Percentages.OURS).isPresent()).toList();
    this.comparison = comparison;
  }

  /** A group of settings that are compared together. */
  private record Group(String name, List<SettingResults> of) {
    /** Returns the numbers in the paper; in brackets if they include stand-ins. */
    String paper() {
      boolean standIn = of.stream().anyMatch(each -> each.setting().paper().isEmpty());
      String numbers = String.join(", ", numbers());
      return standIn ? "(" + numbers + ")" : numbers;
    }

    List<String> numbers() {
      return of.stream().map(each -> number(each.setting()).orElseThrow()).toList();
    }
  }

  private static Optional<String> number(Setting setting) {
    return setting.paper().or(setting::standsInFor);
  }

  /** Returns a compact table and a full one; empty if nothing can be compared. */
  List<DataTable> tables() {
    List<String> methods =
        new ArrayList<>(
            Comparison.labels(settings.stream().flatMap(each -> each.methods().stream()).toList())
                .stream()
                .distinct()
                .filter(label -> PaperBounds.of(List.of("1"), base(label)).isPresent())
                .toList());
    List<String> columns = new ArrayList<>(List.of("setting", "paper"));
    columns.addAll(methods);
    DataTable shown =
        new DataTable(
            "bounds",
            "Percentage of rounds won by alfamix, with the bounds that the paper's table implies",
            ("Our percentage, and in brackets the smallest and largest value that is consistent"
                 + " with the paper's table: linear programs over its rows, each within one point"
                 + " of the printed value, without the row of all images. Variants such as"
                 + " bald:rate=0 are compared with the paper's method. %s: our value is outside the"
                 + " bounds. %s: so is its whole interval, which is estimated from the spread over"
                 + " seeds.")
                .formatted(OUTSIDE, FAR_OUTSIDE),
            columns);
    DataTable all =
        new DataTable(
            "bounds-in-full",
            "Percentage of rounds won by alfamix, with bounds and intervals",
            "From and to: the interval of our percentage. Lower and upper: the bounds.",
            List.of(
                "setting", "paper", "method", "ours", "from", "to", "lower", "upper", "outside"));
    for (Group group : groups()) {
      List<Cell> row = new ArrayList<>();
      row.add(Cell.text(group.name()));
      row.add(Cell.text(group.paper()));
      for (String method : methods) {
        row.add(cell(group, method, all));
      }
      shown.add(row);
    }
    return all.rows().isEmpty() ? List.of() : List.of(shown, all);
  }

  /** Returns each setting as a group, then groups of an architecture or of continued weights. */
  private List<Group> groups() {
    List<Group> groups = new ArrayList<>();
    Map<String, List<SettingResults>> together = new LinkedHashMap<>();
    for (SettingResults each : settings) {
      if (number(each.setting()).isPresent()) {
        groups.add(new Group(each.setting().name(), List.of(each)));
      }
      if (each.setting().paper().isPresent()) {
        Map<String, String> of = each.setting().groups();
        for (String factor : List.of("architecture", "initialization")) {
          String level = of.get(factor);
          if (level != null && !level.equals("random")) {
            together.computeIfAbsent(level, key -> new ArrayList<>()).add(each);
          }
        }
      }
    }
    together.forEach(
        (level, of) -> {
          if (of.size() > 1) {
            groups.add(new Group("all: " + level, of));
          }
        });
    return groups;
  }

  private Cell cell(Group group, String method, DataTable all) {
    int compared = Comparison.comparable(group.of(), Percentages.OURS, method).size();
    Optional<PaperBounds.Range> bounds = PaperBounds.of(group.numbers(), base(method));
    if (compared < group.of().size() || bounds.isEmpty()) {
      return Cell.EMPTY;
    }
    VictoryShare share = comparison.share(group.of(), Percentages.OURS, method).orElseThrow();
    double ours = 100 * share.share();
    PaperBounds.Range range = bounds.get();
    boolean outside = !range.contains(ours);
    boolean far =
        outside
            && Double.isFinite(share.low())
            && !range.overlaps(100 * share.low(), 100 * share.high());
    all.add(
        Cell.text(group.name()),
        Cell.text(group.paper()),
        Cell.text(method),
        Cell.number(ours, 1),
        Cell.number(100 * share.low(), 1),
        Cell.number(100 * share.high(), 1),
        Cell.number(range.least(), 1),
        Cell.number(range.most(), 1),
        Cell.text(far ? "yes, including the interval" : outside ? "yes" : "no"));
    String mark = far ? " " + FAR_OUTSIDE : outside ? " " + OUTSIDE : "";
    return new Cell(ours, Math.round(ours) + " (" + range + ")" + mark);
  }

  /** Returns the method of a variant such as bald:rate=0, to find the paper's number. */
  private static String base(String method) {
    return method.replaceFirst(":.*", "");
  }
}
