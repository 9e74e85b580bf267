package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.statistics.Victories;

/**
 * Counts rounds in which another method beats ALFA-Mix. According to the paper, ALFA-Mix matched or
 * beat the strongest baselines, BADGE and CDAL, in 282 of 285 rounds.
 */
final class RoundsLost {
  private static final List<String> STRONGEST = List.of("badge", "cdal");
  private static final int ROUNDS_OF_PAPER = 285;
  private static final int LOST_IN_PAPER = 3;

  private final Comparison comparison;

  RoundsLost(Comparison comparison) {
    this.comparison = comparison;
  }

  DataTable table(List<SettingResults> settings) {
    DataTable table =
        new DataTable(
            "rounds-lost",
            "Rounds lost by alfamix",
            "Over the paper's settings. A round is lost if another method beats alfamix in it. The"
                + " paper's number is for BADGE and CDAL.",
            List.of(
                "setting",
                "rounds",
                "beaten by BADGE or CDAL",
                "beaten by a method of the paper",
                "beaten by margin"));
    List<String> ofPaper =
        Setting.PAPER_METHODS.stream().filter(name -> !name.equals(Percentages.OURS)).toList();
    int[] sums = new int[3];
    int[] rounds = new int[3];
    for (SettingResults each : settings) {
      if (each.method(Percentages.OURS).isEmpty()) {
        continue;
      }
      List<Optional<Integer>> lost =
          List.of(lost(each, STRONGEST), lost(each, ofPaper), lost(each, List.of("margin")));
      List<Cell> row = new ArrayList<>();
      row.add(Cell.text(each.setting().name()));
      row.add(Cell.count(each.rounds()));
      lost.forEach(count -> row.add(count.map(Cell::count).orElse(Cell.EMPTY)));
      table.add(row);
      for (int c = 0; c < sums.length; c++) {
        sums[c] += lost.get(c).orElse(0);
        rounds[c] += lost.get(c).isPresent() ? each.rounds() : 0;
      }
    }
    table.add(
        Cell.text("total"),
        Cell.count(table.rows().stream().mapToLong(row -> (long) row.get(1).value()).sum()),
        of(sums[0], rounds[0]),
        of(sums[1], rounds[1]),
        of(sums[2], rounds[2]));
    table.add(
        Cell.text("paper"),
        Cell.count(ROUNDS_OF_PAPER),
        of(LOST_IN_PAPER, ROUNDS_OF_PAPER),
        Cell.EMPTY,
        Cell.EMPTY);
    return table;
  }

  private static Cell of(int lost, int rounds) {
    return new Cell(lost, lost + " of " + rounds);
  }

  /** Returns the number of rounds won by at least one of these methods; empty if none was run. */
  private Optional<Integer> lost(SettingResults results, List<String> methods) {
    MethodResults ours = results.method(Percentages.OURS).orElseThrow();
    boolean[] lost = new boolean[results.rounds()];
    boolean compared = false;
    for (String name : methods) {
      Optional<MethodResults> method = results.method(name);
      if (method.isEmpty()) {
        continue;
      }
      double[][][] pair = results.paired(method.get(), ours, results.rounds());
      if (pair[0].length >= 2) {
        compared = true;
        boolean[] won = Victories.rounds(pair[0], pair[1], comparison.threshold());
        for (int r = 0; r < won.length; r++) {
          lost[r] |= won[r];
        }
      }
    }
    int count = 0;
    for (boolean each : lost) {
      count += each ? 1 : 0;
    }
    return compared ? Optional.of(count) : Optional.empty();
  }
}
