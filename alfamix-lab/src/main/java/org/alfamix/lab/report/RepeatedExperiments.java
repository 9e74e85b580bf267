package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alfamix.lab.statistics.PenaltyMatrix;

/** A table of experiments that differ only in seeds, which shows the effect of chance. */
final class RepeatedExperiments {
  private final Comparison comparison;

  RepeatedExperiments(Comparison comparison) {
    this.comparison = comparison;
  }

  /** Returns the table; it has no rows if no experiment was repeated. */
  DataTable table(List<SettingResults> all) {
    Map<String, List<SettingResults>> byExperiment = new LinkedHashMap<>();
    for (SettingResults each : all) {
      if (each.method(Percentages.OURS).isPresent() && each.seeds() > 1) {
        String key = each.setting().definingValues() + " " + each.setting().schedule();
        byExperiment.computeIfAbsent(key, k -> new ArrayList<>()).add(each);
      }
    }
    List<List<SettingResults>> repeated =
        byExperiment.values().stream()
            .map(RepeatedExperiments::onePerSeeds)
            .filter(group -> group.size() > 1)
            .toList();
    Set<String> methods = new LinkedHashSet<>();
    for (List<SettingResults> group : repeated) {
      Set<String> common = new LinkedHashSet<>(comparison.matrix(group.get(0)).methods());
      group.forEach(each -> common.retainAll(comparison.matrix(each).methods()));
      methods.addAll(common);
    }
    methods.remove(Percentages.OURS);
    List<String> columns = new ArrayList<>(List.of("setting", "seeds"));
    columns.addAll(methods);
    DataTable table =
        new DataTable(
            "repeated",
            "Percentage of rounds won by alfamix in experiments with other seeds",
            "Rows of the same setting are adjacent. Cells of methods that were not run are empty.",
            columns);
    for (List<SettingResults> group : repeated) {
      for (SettingResults each : group) {
        List<Cell> row = new ArrayList<>();
        row.add(Cell.text(each.setting().name()));
        row.add(Cell.text(seeds(each)));
        PenaltyMatrix matrix = comparison.matrix(each);
        methods.forEach(name -> row.add(Cell.number(matrix.percent(Percentages.OURS, name), 0)));
        table.add(row);
      }
    }
    return table;
  }

  /** Keeps the first of settings with the same seeds, such as an ablation and its origin. */
  private static List<SettingResults> onePerSeeds(List<SettingResults> group) {
    Map<String, SettingResults> bySeeds = new LinkedHashMap<>();
    group.forEach(each -> bySeeds.putIfAbsent(seeds(each), each));
    return List.copyOf(bySeeds.values());
  }

  private static String seeds(SettingResults each) {
    var seeds = each.method(Percentages.OURS).orElseThrow().runs();
    return seeds.firstKey() + "–" + seeds.lastKey();
  }
}
