package org.alfamix.lab.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.alfamix.lab.run.Round;
import org.alfamix.lab.run.RunFile;

/** Tables of facts that learning curves do not show. */
final class TopUpAndTrainingTables {
  /** The training accuracy at which training stops in the paper. */
  private static final double GOAL = 0.99;

  private TopUpAndTrainingTables() {}

  /** Returns the number of random picks, which fill a batch if too few predictions flip. */
  static DataTable topUps(List<SettingResults> all) {
    DataTable table =
        new DataTable(
            "top-ups",
            "Random picks because too few predictions flipped",
            "Totals over all seeds. Methods without such picks are omitted.",
            List.of("setting", "method", "picks", "random picks", "first round with random picks"));
    for (SettingResults each : all) {
      for (MethodResults method : each.methods()) {
        long picks = 0;
        long random = 0;
        int first = Integer.MAX_VALUE;
        for (RunFile run : method.runs().values()) {
          for (Round round : run.rounds().subList(0, each.rounds())) {
            Round.Query query = round.query().orElseThrow();
            picks += query.picks().length;
            random += query.toppedUp();
            first = query.toppedUp() > 0 ? Math.min(first, round.number() + 1) : first;
          }
        }
        if (random > 0) {
          table.add(
              Cell.text(each.setting().name()),
              Cell.text(method.method().label()),
              Cell.count(picks),
              Cell.count(random),
              Cell.count(first));
        }
      }
    }
    return table;
  }

  /** Returns how often training stopped at the limit of epochs, below the goal. */
  static DataTable unfinishedTraining(List<SettingResults> all) {
    DataTable table =
        new DataTable(
            "unfinished-training",
            "Fits that stopped below a training accuracy of 99 %",
            "Over all methods, seeds and rounds. Training stops after at most 1,000 epochs."
                + " Settings without such fits, or with their own goal or limit, are omitted.",
            List.of("setting", "fits", "below 99 %", "lowest accuracy, %", "highest accuracy, %"));
    for (SettingResults each : all) {
      var training = each.setting().model().training();
      if (training.goal().isPresent() || training.epochs().isPresent()) {
        continue;
      }
      double[] known =
          each.runs()
              .flatMap(run -> run.rounds().stream())
              .mapToDouble(Round::trainingAccuracy)
              .toArray();
      double[] unfinished = Arrays.stream(known).filter(value -> value < GOAL).toArray();
      if (unfinished.length > 0) {
        table.add(
            Cell.text(each.setting().name()),
            Cell.count(known.length),
            Cell.count(unfinished.length),
            Cell.number(100 * DoubleStream.of(unfinished).min().orElseThrow(), 1),
            Cell.number(100 * DoubleStream.of(unfinished).max().orElseThrow(), 1));
      }
    }
    return table;
  }
}
