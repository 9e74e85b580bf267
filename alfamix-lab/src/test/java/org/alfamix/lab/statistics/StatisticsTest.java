package org.alfamix.lab.statistics;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatisticsTest {

  private static PenaltyMatrix matrix(double[][] victories, String... methods) {
    int[][] settings = new int[methods.length][methods.length];
    for (int i = 0; i < methods.length; i++) {
      for (int j = 0; j < methods.length; j++) {
        settings[i][j] = i == j ? 0 : 1;
      }
    }
    return new PenaltyMatrix(List.of(methods), victories, settings);
  }

  /** Settings have equal weights, whatever their number of rounds. */
  @Test
  void averagesPercentagesOverSettings() {
    PenaltyMatrix first = matrix(new double[][] {{0, 1}, {0, 0}}, "alfamix", "badge");
    PenaltyMatrix second = matrix(new double[][] {{0, 0.4}, {0.1, 0}}, "alfamix", "badge");
    PenaltyMatrix third =
        matrix(
            new double[][] {{0, 0.2, 0.6}, {0.2, 0, 0}, {0, 0, 0}}, "badge", "alfamix", "random");
    PenaltyMatrix all = PenaltyMatrix.sum(List.of(first, second, third));
    assertEquals(List.of("alfamix", "badge", "random"), all.methods());
    assertEquals(1 + 0.4 + 0.2, all.victories()[0][1], 1e-12);
    assertEquals(100 * (1 + 0.4 + 0.2) / 3, all.percent("alfamix", "badge"), 1e-12);
    assertEquals(100 * 0.3 / 3, all.percent("badge", "alfamix"), 1e-12);
    assertEquals(0, all.percent("alfamix", "random"), 1e-12, "compared in only one setting");
    assertEquals(60, all.percent("badge", "random"), 1e-12);
    assertTrue(Double.isNaN(all.percent("alfamix", "coreset")));
    assertEquals(3, all.maximum());
    assertEquals((0.3 + 0) / 2, all.columnMean(0), 1e-12);
  }

  /** Rounds 1 and 3 are won, round 2 is not. */
  @Test
  void computesSharesOfRoundsWon() {
    double[][] better = {{0.80, 0.70, 0.91}, {0.82, 0.60, 0.93}, {0.81, 0.71, 0.92}};
    double[][] worse = {{0.70, 0.69, 0.81}, {0.71, 0.65, 0.82}, {0.72, 0.70, 0.83}};
    assertEquals(2 / 3.0, Victories.share(better, worse, Victories.THRESHOLD), 1e-12);
    assertEquals(0, Victories.share(worse, better, Victories.THRESHOLD), 1e-12);
  }

  /** Settings have equal weights; without variance between seeds the interval has width 0. */
  @Test
  void averagesVictoriesOverSettings() {
    double[][] better = {{0.8, 0.7}, {0.82, 0.6}, {0.81, 0.71}};
    double[][] worse = {{0.7, 0.8}, {0.71, 0.7}, {0.72, 0.81}};
    double[][] same = {{0.5, 0.5}, {0.5, 0.5}, {0.5, 0.5}};
    List<double[][][]> pairs =
        List.of(new double[][][] {better, worse}, new double[][][] {same, same});
    VictoryShare share = VictoryShare.of(pairs, Victories.THRESHOLD);
    assertEquals(new VictoryShare(0.25, 0.25, 0.25), share);
  }

  @Test
  void requiresTwoSeedsAndThreeForAnInterval() {
    assertThrows(
        IllegalArgumentException.class,
        () -> VictoryShare.of(List.<double[][][]>of(new double[][][] {{{1}}, {{0}}}), 2.776));
    double[][][] two = {{{0.8}, {0.81}}, {{0.7}, {0.72}}};
    VictoryShare share = VictoryShare.of(List.<double[][][]>of(two), 2.776);
    assertEquals(1, share.share());
    assertTrue(Double.isNaN(share.low()) && Double.isNaN(share.high()), share.toString());
  }

  /** In simulations, the interval contains the true value in most cases, and always the share. */
  @Test
  void intervalContainsTheTrueShare() {
    int seeds = 5;
    int rounds = 10;
    SplittableRandom random = new SplittableRandom(7);
    double truth = 0;
    for (int trial = 0; trial < 4000; trial++) {
      truth += Victories.share(sample(seeds, rounds, random), zeros(seeds, rounds), 2.776) / 4000;
    }
    assertTrue(truth > 0.15 && truth < 0.35, "neither always nor never: " + truth);
    int hits = 0;
    int trials = 40;
    for (int trial = 0; trial < trials; trial++) {
      List<double[][][]> pairs = new ArrayList<>();
      for (int setting = 0; setting < 4; setting++) {
        pairs.add(new double[][][] {sample(seeds, rounds, random), zeros(seeds, rounds)});
      }
      VictoryShare share = VictoryShare.of(pairs, 2.776);
      assertTrue(share.low() <= share.share() && share.share() <= share.high(), share.toString());
      assertTrue(share.high() - share.low() < 0.6, "interval is too wide: " + share);
      hits += share.low() <= truth && truth <= share.high() ? 1 : 0;
    }
    assertTrue(hits >= 0.8 * trials, hits + " of " + trials);
  }

  private static double[][] zeros(int seeds, int rounds) {
    return new double[seeds][rounds];
  }

  /** Samples differences of mean 0.6 and variance 1, half of it common to all rounds of a seed. */
  private static double[][] sample(int seeds, int rounds, SplittableRandom random) {
    double[][] sample = new double[seeds][rounds];
    for (double[] seed : sample) {
      double common = random.nextGaussian() * Math.sqrt(0.5);
      for (int r = 0; r < rounds; r++) {
        seed[r] = 0.6 + common + random.nextGaussian() * Math.sqrt(0.5);
      }
    }
    return sample;
  }

  @Test
  void solvesLinearPrograms() {
    // Maximize 3x + 5y under x <= 4, 2y <= 12, 3x + 2y <= 18: 36 at (2, 6).
    LinearProgram program =
        new LinearProgram(new double[][] {{1, 0}, {0, 2}, {3, 2}}, new double[] {4, 12, 18});
    assertEquals(36, program.maximum(new double[] {3, 5}).orElseThrow(), 1e-9);
    assertEquals(0, program.minimum(new double[] {3, 5}).orElseThrow(), 1e-9);
    // With x + y >= 7 the start is not feasible: the minimum of 3x + 5y is 27 at (4, 3).
    LinearProgram bounded =
        new LinearProgram(
            new double[][] {{1, 0}, {0, 2}, {3, 2}, {-1, -1}}, new double[] {4, 12, 18, -7});
    assertEquals(27, bounded.minimum(new double[] {3, 5}).orElseThrow(), 1e-9);
    assertEquals(36, bounded.maximum(new double[] {3, 5}).orElseThrow(), 1e-9);
    // An equation, as two inequalities.
    LinearProgram equation =
        new LinearProgram(new double[][] {{1, 1}, {-1, -1}, {1, 0}}, new double[] {1, -1, 0.25});
    assertEquals(0.25, equation.maximum(new double[] {1, 0}).orElseThrow(), 1e-9);
    assertEquals(0.75, equation.minimum(new double[] {0, 1}).orElseThrow(), 1e-9);
  }

  @Test
  void reportsInfeasibleAndUnboundedPrograms() {
    LinearProgram impossible = new LinearProgram(new double[][] {{1}, {-1}}, new double[] {1, -2});
    assertTrue(impossible.maximum(new double[] {1}).isEmpty());
    LinearProgram unbounded = new LinearProgram(new double[][] {{1, -1}}, new double[] {1});
    assertThrows(IllegalArgumentException.class, () -> unbounded.maximum(new double[] {1, 1}));
    assertThrows(
        IllegalArgumentException.class,
        () -> new LinearProgram(new double[][] {{1}, {1, 2}}, new double[] {1, 2}));
  }

  @Test
  void interpolatesLearningCurvesLinearly() {
    LearningCurve curve = new LearningCurve(new int[] {100, 200, 400}, new double[] {40, 60, 70});
    assertEquals((50 * 100 + 65 * 200) / 300.0, curve.area(), 1e-12);
    assertEquals(150, curve.labelsFor(50), 1e-12);
    assertEquals(300, curve.labelsFor(65), 1e-12);
    assertEquals(100, curve.labelsFor(10), 1e-12);
    assertTrue(Double.isNaN(curve.labelsFor(71)));
  }

  @Test
  void computesPositiveAndNegativeLabelsSaved() {
    int[] labels = {100, 200, 300};
    double[][] random = {{40, 50, 60}, {40, 50, 60}};
    double[][] good = {{40, 60, 70}, {40, 60, 70}};
    LabelsSaved saved = LabelsSaved.of(labels, good, random);
    assertEquals(1 - 200 / 300.0, saved.share(), 1e-12);
    assertEquals(saved.share(), saved.low(), 1e-12, "all seeds are equal");
    assertEquals(saved.share(), saved.high(), 1e-12);
    LabelsSaved wasted = LabelsSaved.of(labels, random, good);
    assertEquals(1 - 300 / 200.0, wasted.share(), 1e-12);
  }

  @Test
  void bootstrapIntervalReflectsTheSpreadOfSeeds() {
    int[] labels = {100, 200, 300};
    double[][] random = {{40, 50, 60}, {40, 50, 60}, {40, 50, 60}, {40, 50, 60}};
    double[][] method = {{40, 52, 64}, {40, 56, 68}, {40, 60, 70}, {40, 58, 66}};
    LabelsSaved saved = LabelsSaved.of(labels, method, random);
    assertTrue(saved.low() < saved.share() && saved.share() < saved.high(), saved.toString());
    assertTrue(saved.high() <= 1 - 200 / 300.0 + 1e-12, "no resample beats the best seed");
    assertEquals(saved, LabelsSaved.of(labels, method, random), "deterministic");
  }

  /** Seeds are resampled in pairs: equal differences in all pairs have no spread. */
  @Test
  void resamplesPairsOfSeeds() {
    int[] labels = {100, 200, 300};
    double[][] random = {{40, 50, 60}, {20, 30, 40}, {60, 70, 80}, {10, 20, 30}};
    double[][] method = {{40, 60, 70}, {20, 40, 50}, {60, 80, 90}, {10, 30, 40}};
    LabelsSaved saved = LabelsSaved.of(labels, method, random);
    assertEquals(1 - 200 / 300.0, saved.share(), 1e-9);
    assertEquals(saved.share(), saved.low(), 1e-9);
    assertEquals(saved.share(), saved.high(), 1e-9);
  }

  /** Thresholds just below and above the score that is computed here with that variance. */
  @Test
  void usesThePopulationVariance() {
    double[][] better = {{1}, {1}, {1}, {1}, {5.0 / 3}};
    double[][] worse = {{0.5}, {0.5}, {0.5}, {0.5}, {0}};
    double mean = (4 * 0.5 + 5.0 / 3) / 5;
    double variance = (4 * Math.pow(0.5 - mean, 2) + Math.pow(5.0 / 3 - mean, 2)) / 5;
    double score = Math.sqrt(5) * mean / Math.sqrt(variance);
    assertEquals(1, Victories.share(better, worse, score - 1e-6), 1e-12);
    assertEquals(0, Victories.share(better, worse, score + 1e-6), 1e-12);
  }

  /** The critical values of Demšar's table 5, for a difference of mean ranks at 5 %. */
  @ParameterizedTest
  @CsvSource({
    "2,1.960",
    "3,2.343",
    "4,2.569",
    "5,2.728",
    "6,2.850",
    "7,2.949",
    "8,3.031",
    "9,3.102",
    "10,3.164"
  })
  void criticalValuesMatchTheTable(int methods, double value) {
    assertEquals(value, StudentizedRange.quantile(methods, 0.95) / Math.sqrt(2), 0.0011);
  }

  @Test
  void averagesRanksOfTies() {
    MeanRanks ranks = MeanRanks.of(new double[][] {{3, 2, 1}, {1, 1, 0}});
    assertArrayEquals(new double[] {1.25, 1.75, 3}, ranks.means(), 1e-12);
    assertEquals(2.343 * Math.sqrt(3 * 4 / 12.0), ranks.criticalDifference(), 0.002);
  }
}
