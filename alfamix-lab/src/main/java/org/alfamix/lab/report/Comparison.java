package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.alfamix.lab.statistics.LabelsSaved;
import org.alfamix.lab.statistics.LearningCurve;
import org.alfamix.lab.statistics.MeanRanks;
import org.alfamix.lab.statistics.PenaltyMatrix;
import org.alfamix.lab.statistics.Victories;
import org.alfamix.lab.statistics.VictoryShare;

/** What the numbers of runs say of methods. */
final class Comparison {

  /** The low-data regime: that many rounds of the small budgets. */
  static final int LOW_DATA_ROUNDS = 5;

  private final double threshold;
  private final Map<String, VictoryShare.InOneSetting> shares = new HashMap<>();

  /**
   * @param threshold the t-score from which a round is a victory
   */
  Comparison(double threshold) {
    this.threshold = threshold;
  }

  double threshold() {
    return threshold;
  }

  /**
   * Returns the share of rounds that a method wins against another, over the settings that have
   * both with two seeds in common; empty where there are none.
   */
  Optional<VictoryShare> share(List<SettingResults> settings, String method, String other) {
    List<VictoryShare.InOneSetting> each =
        comparable(settings, method, other).stream()
            .map(results -> share(results, method, other))
            .toList();
    return each.isEmpty() ? Optional.empty() : Optional.of(VictoryShare.of(each));
  }

  /** Returns the settings that have both methods with two seeds in common. */
  static List<SettingResults> comparable(
      List<SettingResults> settings, String method, String other) {
    return settings.stream()
        .filter(each -> each.method(method).isPresent() && each.method(other).isPresent())
        .filter(each -> pair(each, method, other)[0].length >= 2)
        .toList();
  }

  private VictoryShare.InOneSetting share(SettingResults results, String method, String other) {
    return shares.computeIfAbsent(
        results.setting().name() + "/" + method + "/" + other,
        key -> VictoryShare.inOneSetting(pair(results, method, other), threshold));
  }

  private static double[][][] pair(SettingResults results, String method, String other) {
    return results.paired(
        results.method(method).orElseThrow(),
        results.method(other).orElseThrow(),
        results.rounds());
  }

  /**
   * A word of caution where the threshold is that of more seeds than there are; empty elsewhere.
   *
   * @param seeds the fewest of a method
   */
  String caution(int seeds) {
    if (threshold != Victories.THRESHOLD || seeds == 5) {
      return "";
    }
    return seeds < 5
        ? " The threshold is that of five seeds; with %d a victory says less.".formatted(seeds)
        : " The threshold is that of five seeds; with %d victories come more easily."
            .formatted(seeds);
  }

  /** Who beats whom in a setting, over its first rounds; a pair needs two seeds in common. */
  PenaltyMatrix matrix(SettingResults results, int rounds) {
    List<MethodResults> methods = results.methods();
    int count = methods.size();
    double[][] victories = new double[count][count];
    int[][] settings = new int[count][count];
    for (int i = 0; i < count; i++) {
      for (int j = 0; j < count; j++) {
        double[][][] pair = results.paired(methods.get(i), methods.get(j), rounds);
        if (i != j && pair[0].length >= 2) {
          victories[i][j] = Victories.share(pair[0], pair[1], threshold);
          settings[i][j] = 1;
        }
      }
    }
    return new PenaltyMatrix(labels(methods), victories, settings);
  }

  PenaltyMatrix matrix(SettingResults results) {
    return matrix(results, results.rounds());
  }

  PenaltyMatrix matrix(List<SettingResults> settings) {
    return PenaltyMatrix.sum(settings.stream().map(this::matrix).toList());
  }

  /** Of the small budgets the first rounds alone. */
  PenaltyMatrix lowData(List<SettingResults> settings) {
    return PenaltyMatrix.sum(
        settings.stream()
            .filter(each -> "small".equals(each.setting().groups().get("budget")))
            .map(each -> matrix(each, Math.min(LOW_DATA_ROUNDS, each.rounds())))
            .toList());
  }

  static List<String> labels(List<MethodResults> methods) {
    return methods.stream().map(each -> each.method().label()).toList();
  }

  /** Labels saved against random draws; empty where there are none, or no seeds in common. */
  static Optional<LabelsSaved> saved(SettingResults results, MethodResults method) {
    Optional<MethodResults> random = results.method("random");
    if (random.isEmpty() || method.method().label().equals("random")) {
      return Optional.empty();
    }
    List<Long> seeds = new ArrayList<>(method.runs().keySet());
    seeds.retainAll(random.get().runs().keySet());
    return seeds.isEmpty()
        ? Optional.empty()
        : Optional.of(LabelsSaved.of(results.labels(), of(method, seeds), of(random.get(), seeds)));
  }

  private static double[][] of(MethodResults method, List<Long> seeds) {
    List<Long> all = new ArrayList<>(method.runs().keySet());
    double[][] accuracy = method.accuracy();
    return seeds.stream().map(seed -> accuracy[all.indexOf(seed)]).toArray(double[][]::new);
  }

  /** Area under the curve of every seed. */
  static double[] areas(SettingResults results, MethodResults method) {
    return Arrays.stream(method.accuracy())
        .mapToDouble(seed -> new LearningCurve(results.labels(), seed).area())
        .toArray();
  }

  /** Ranks of the methods that all settings have. */
  record Ranking(List<String> methods, MeanRanks ranks, String blocks) {}

  /**
   * Ranks by the area under the curve. With several settings those are the blocks; of a single one
   * its seeds are, which share a data set and so say less.
   */
  static Optional<Ranking> ranking(List<SettingResults> settings) {
    List<String> common = new ArrayList<>(several(settings.get(0)));
    settings.forEach(each -> common.retainAll(several(each)));
    if (common.size() < 2) {
      return Optional.empty();
    }
    double[][] scores =
        settings.size() > 1 ? bySetting(settings, common) : bySeed(settings.get(0), common);
    if (scores.length < 2) {
      return Optional.empty();
    }
    String blocks =
        settings.size() > 1
            ? scores.length + " settings"
            : scores.length + " seeds of " + settings.get(0).setting().name();
    return Optional.of(new Ranking(common, MeanRanks.of(scores), blocks));
  }

  /**
   * The methods that have more than one seed: a single one would leave the others with it alone.
   */
  private static List<String> several(SettingResults results) {
    return labels(results.methods().stream().filter(each -> each.runs().size() > 1).toList());
  }

  /** The mean over the seeds that all methods have: an unfinished run must not favour anyone. */
  private static double[][] bySetting(List<SettingResults> settings, List<String> methods) {
    return settings.stream()
        .map(each -> bySeed(each, methods))
        .filter(seeds -> seeds.length > 0)
        .map(MethodResults::means)
        .toArray(double[][]::new);
  }

  private static double[][] bySeed(SettingResults results, List<String> methods) {
    List<Long> seeds = new ArrayList<>(results.methods().get(0).runs().keySet());
    methods.forEach(label -> seeds.retainAll(results.method(label).orElseThrow().runs().keySet()));
    double[][] scores = new double[seeds.size()][methods.size()];
    for (int m = 0; m < methods.size(); m++) {
      MethodResults method = results.method(methods.get(m)).orElseThrow();
      List<Long> own = new ArrayList<>(method.runs().keySet());
      double[] areas = areas(results, method);
      int column = m;
      IntStream.range(0, seeds.size())
          .forEach(s -> scores[s][column] = areas[own.indexOf(seeds.get(s))]);
    }
    return scores;
  }
}
