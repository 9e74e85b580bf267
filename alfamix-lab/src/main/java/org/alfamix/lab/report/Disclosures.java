package org.alfamix.lab.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.alfamix.lab.run.Round;
import org.alfamix.lab.run.RunFile;

/** Facts about runs that learning curves do not show. */
final class Disclosures {
  /** The training accuracy at which training ends in the paper. */
  private static final double GOAL = 0.99;

  private Disclosures() {}

  /** Where fewer items flip than the budget asks for, the rest is drawn at random. */
  static DataTable topUps(List<SettingResults> all) {
    DataTable table =
        new DataTable(
            "top-ups",
            "Picks that were drawn at random because too few items flipped",
            "Over all seeds. Methods without such picks are left out.",
            List.of("setting", "method", "picks", "drawn at random", "first round with some"));
    for (SettingResults each : all) {
      for (MethodResults method : each.methods()) {
        long picks = 0;
        long drawn = 0;
        int first = Integer.MAX_VALUE;
        for (RunFile run : method.runs().values()) {
          for (Round round : run.rounds().subList(0, each.rounds())) {
            Round.Query query = round.query().orElseThrow();
            picks += query.picks().length;
            drawn += query.toppedUp();
            first = query.toppedUp() > 0 ? Math.min(first, round.number() + 1) : first;
          }
        }
        if (drawn > 0) {
          table.add(
              Cell.text(each.setting().name()),
              Cell.text(method.method().label()),
              Cell.count(picks),
              Cell.count(drawn),
              Cell.count(first));
        }
      }
    }
    return table;
  }

  /** Trainings that ended at the largest number of epochs, before all items were learnt. */
  static DataTable unfinishedTraining(List<SettingResults> all) {
    DataTable table =
        new DataTable(
            "unfinished-training",
            "Trainings that ended before 99 % of the labelled items were learnt",
            "Over all methods, seeds and rounds; training ends after 1,000 epochs at the latest."
                + " Settings without such trainings, or with a goal or limit of their own, are left"
                + " out.",
            List.of("setting", "trainings", "below 99 %", "least known, %", "most known, %"));
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
