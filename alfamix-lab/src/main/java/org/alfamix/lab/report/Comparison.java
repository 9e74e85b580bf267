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

/** Statistics that compare methods. */
final class Comparison {

  /** The number of rounds of the low-data regime, for small budgets. */
  static final int LOW_DATA_ROUNDS = 5;

  private final double threshold;
  private final Map<String, VictoryShare.OfSetting> shares = new HashMap<>();

  /**
   * @param threshold the t-score above which a round is a victory
   */
  Comparison(double threshold) {
    this.threshold = threshold;
  }

  double threshold() {
    return threshold;
  }

  /**
   * Returns the share of rounds that a method wins against another, over the settings in which both
   * have two seeds in common; empty if there are none.
   */
  Optional<VictoryShare> share(List<SettingResults> settings, String method, String other) {
    List<VictoryShare.OfSetting> each =
        comparable(settings, method, other).stream()
            .map(results -> share(results, method, other))
            .toList();
    return each.isEmpty() ? Optional.empty() : Optional.of(VictoryShare.of(each));
  }

  /** Returns the settings in which both methods have two seeds in common. */
  static List<SettingResults> comparable(
      List<SettingResults> settings, String method, String other) {
    return settings.stream()
        .filter(each -> each.method(method).isPresent() && each.method(other).isPresent())
        .filter(each -> pair(each, method, other)[0].length >= 2)
        .toList();
  }

  private VictoryShare.OfSetting share(SettingResults results, String method, String other) {
    return shares.computeIfAbsent(
        results.setting().name() + "/" + method + "/" + other,
        key -> VictoryShare.ofSetting(pair(results, method, other), threshold));
  }

  private static double[][][] pair(SettingResults results, String method, String other) {
    return results.paired(
        results.method(method).orElseThrow(),
        results.method(other).orElseThrow(),
        results.rounds());
  }

  /**
   * Returns a warning if the threshold is for another number of seeds, otherwise an empty text.
   *
   * @param seeds the smallest number of seeds of a method
   */
  String thresholdWarning(int seeds) {
    if (threshold != Victories.THRESHOLD || seeds == 5) {
      return "";
    }
    return seeds < 5
        ? " The threshold is for five seeds; with %d seeds, a victory is weaker evidence."
            .formatted(seeds)
        : " The threshold is for five seeds; with %d seeds, victories are more frequent."
            .formatted(seeds);
  }

  /** Returns the penalty matrix of the first rounds; a pair needs two seeds in common. */
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

  /** Returns the penalty matrix of the first rounds of settings with a small budget. */
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

  /** Returns labels saved against random sampling; empty without seeds in common. */
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

  /** Returns the area under the learning curve of every seed. */
  static double[] areas(SettingResults results, MethodResults method) {
    return Arrays.stream(method.accuracy())
        .mapToDouble(seed -> new LearningCurve(results.labels(), seed).area())
        .toArray();
  }

  /** Ranks of the methods that are in all settings. */
  record Ranking(List<String> methods, MeanRanks ranks, String blocks) {}

  /**
   * Ranks methods by the area under the curve. With several settings, each is a block; with a
   * single one, each seed is, which is weaker evidence because seeds share a data set.
   */
  static Optional<Ranking> ranking(List<SettingResults> settings) {
    List<String> common = new ArrayList<>(withSeveralSeeds(settings.get(0)));
    settings.forEach(each -> common.retainAll(withSeveralSeeds(each)));
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

  /** Returns methods with several seeds; a method with one would reduce all others to that seed. */
  private static List<String> withSeveralSeeds(SettingResults results) {
    return labels(results.methods().stream().filter(each -> each.runs().size() > 1).toList());
  }

  /** Averages over the seeds that all methods have, so that missing runs favour no method. */
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
