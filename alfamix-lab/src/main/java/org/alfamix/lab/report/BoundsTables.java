package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.statistics.VictoryShare;

/** Our shares of rounds won beside the bounds that the paper's rows set on the same settings. */
final class BoundsTables {
  private static final String OUTSIDE = "†";
  private static final String FAR_OUTSIDE = "‡";

  private final List<SettingResults> settings;
  private final Comparison comparison;

  /**
   * @param settings the paper's and those that stand in for one of them
   */
  BoundsTables(List<SettingResults> settings, Comparison comparison) {
    this.settings =
        settings.stream().filter(each -> each.method(Percentages.OURS).isPresent()).toList();
    this.comparison = comparison;
  }

  /** Some settings that are compared together. */
  private record Group(String name, List<SettingResults> of) {
    /** The numbers in the paper; in brackets those of settings that this one stands in for. */
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

  /** Returns a table to read and one in full; none where nothing can be compared. */
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
            "Rounds won by alfamix and the bounds that the paper's rows imply, in per cent",
            ("Before the brackets our share; in the brackets the least and the most that the paper"
                 + " can have had, by linear programs over its rows (each within a point of what is"
                 + " printed, the row of images left out). A variant, as bald:rate=0, is held"
                 + " against the paper's method. %s: ours is outside. %s: so is the whole interval"
                 + " of our share, by the spread of its seeds.")
                .formatted(OUTSIDE, FAR_OUTSIDE),
            columns);
    DataTable all =
        new DataTable(
            "bounds-in-full",
            "Rounds won by alfamix and the bounds that the paper's rows imply, line by line",
            "In per cent. From and to: the interval of our own share.",
            List.of(
                "setting", "paper", "method", "ours", "from", "to", "least", "most", "outside"));
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

  /** Each setting, then those of an architecture or of continued weights together. */
  private List<Group> groups() {
    List<Group> groups = new ArrayList<>();
    Map<String, List<SettingResults>> together = new LinkedHashMap<>();
    for (SettingResults each : settings) {
      if (number(each.setting()).isPresent()) {
        groups.add(new Group(each.setting().name(), List.of(each)));
      }
      if (each.setting().paper().isPresent()) {
        Map<String, String> of = each.setting().groups();
        for (String factor : List.of("architecture", "initialisation")) {
          String variety = of.get(factor);
          if (variety != null && !variety.equals("random")) {
            together.computeIfAbsent(variety, key -> new ArrayList<>()).add(each);
          }
        }
      }
    }
    together.forEach(
        (variety, of) -> {
          if (of.size() > 1) {
            groups.add(new Group("all of " + variety, of));
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
        Cell.text(far ? "yes, with its interval" : outside ? "yes" : "no"));
    String mark = far ? " " + FAR_OUTSIDE : outside ? " " + OUTSIDE : "";
    return new Cell(ours, Math.round(ours) + " (" + range + ")" + mark);
  }

  /** A variant, as bald:rate=0, is held against the paper's number of the method. */
  private static String base(String method) {
    return method.replaceFirst(":.*", "");
  }
}
