package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alfamix.lab.statistics.PenaltyMatrix;

/** Experiments with the same setting and other seeds: they show what chance does to victories. */
final class RepeatedExperiments {
  private final Comparison comparison;

  RepeatedExperiments(Comparison comparison) {
    this.comparison = comparison;
  }

  /** One table; without rows where nothing was repeated. */
  DataTable table(List<SettingResults> all) {
    Map<String, List<SettingResults>> alike = new LinkedHashMap<>();
    for (SettingResults each : all) {
      if (each.method(Percentages.OURS).isPresent() && each.seeds() > 1) {
        String what = each.setting().essence() + " " + each.setting().schedule();
        alike.computeIfAbsent(what, key -> new ArrayList<>()).add(each);
      }
    }
    List<List<SettingResults>> repeated =
        alike.values().stream()
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
            "Rounds won by alfamix in experiments with other seeds, in per cent",
            "Experiments with the same setting follow each other. A method that was not run has no"
                + " number.",
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

  /** Of settings with the same seeds, as an ablation and its origin, keeps the first. */
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
