package org.alfamix.golden;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alfamix.cluster.KMeans;
import org.alfamix.cluster.OuterProductPoints;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.mix.Anchors;
import org.alfamix.mix.Candidates;
import org.alfamix.mix.Flip;
import org.alfamix.mix.LinearFlips;
import org.alfamix.mix.MixedFlips;
import org.alfamix.model.Head;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.MixDiagnostics;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares results with those of a literal implementation in double precision, within the precision
 * of float.
 */
class GoldenTest {
  private static final double[] CAPS = {0.2, 0.4, 0.6, 0.8, 1.0};
  private static final String[] CAP_NAMES = {"02", "04", "06", "08", "10"};

  static Stream<GoldenCase> cases() {
    return GoldenCase.NAMES.stream().map(GoldenCase::of);
  }

  private static FloatMatrix anchors(GoldenCase golden) {
    Snapshot snapshot = golden.snapshot();
    return Anchors.classMeans(snapshot.labelled(), snapshot.labels(), snapshot.classes());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void flipCapsMatch(GoldenCase golden) {
    double[] expected = golden.expected("flip_cap");
    Flip[] flips = new LinearFlips(golden.head(), anchors(golden)).flips(golden.pool());
    for (int i = 0; i < expected.length; i++) {
      double found = flips[i] == null ? Double.POSITIVE_INFINITY : flips[i].cap();
      if (Double.isInfinite(expected[i])) {
        assertEquals(expected[i], found, "row " + i);
      } else {
        double tolerance = Math.max(1e-4 * expected[i], 2e-6);
        assertEquals(expected[i], found, tolerance, "row " + i);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void lowerBoundsNeverExceedTheFlipCap(GoldenCase golden) {
    double[] expected = golden.expected("flip_cap");
    float[] bounds = new float[expected.length];
    new LinearFlips(golden.head(), anchors(golden)).lowerBounds(golden.pool(), bounds, 0);
    for (int i = 0; i < expected.length; i++) {
      assertTrue(bounds[i] <= expected[i], "row " + i + ": " + bounds[i] + " > " + expected[i]);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void linearAndGeneralPathsFindTheCandidatesAtEveryCap(GoldenCase golden) {
    double[] flipCapsMatch = golden.expected("flip_cap");
    int all = golden.pool().rows();
    for (int c = 0; c < CAPS.length; c++) {
      double cap = CAPS[c];
      double[] expected = golden.expected("candidates_" + CAP_NAMES[c]);
      double[] one = {cap};
      Candidates linear =
          Candidates.ofLinear(
              new LinearFlips(golden.head(), anchors(golden)), golden.pool(), one, all);
      Head general = new OpaqueHead(golden.head());
      Candidates mixed =
          Candidates.ofMixed(
              MixedFlips.closedForm(general, anchors(golden)), golden.pool(), one, all);
      boolean[] isLinearCandidate = mask(linear, all);
      boolean[] isGeneralCandidate = mask(mixed, all);
      for (int i = 0; i < all; i++) {
        if (Math.abs(flipCapsMatch[i] - cap) > 1e-5) {
          assertEquals(
              expected[i] != 0, isLinearCandidate[i], "linear path, row " + i + ", cap " + cap);
          assertEquals(
              expected[i] != 0, isGeneralCandidate[i], "general path, row " + i + ", cap " + cap);
        }
      }
    }
  }

  private static boolean[] mask(Candidates candidates, int size) {
    boolean[] result = new boolean[size];
    for (int c = 0; c < candidates.size(); c++) {
      result[candidates.item(c)] = true;
    }
    return result;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void alfamixStopsAtTheGoldenCapWithTheGoldenNumberOfCandidates(GoldenCase golden) {
    Selection selection = select("alfamix", golden);
    assertEquals(golden.finalCap(), MixDiagnostics.of(selection).orElseThrow().cap(), 1e-9);
    assertEquals(golden.candidates(), selection.candidates());
    assertEquals(golden.budget(), selection.picks().size());
    assertEquals(Math.max(0, golden.budget() - golden.candidates()), selection.toppedUp());
    double[] expected = golden.expected("candidates_" + CAP_NAMES[capIndex(golden)]);
    long flipped = Arrays.stream(selection.items()).filter(item -> expected[item] != 0).count();
    assertEquals(Math.min(golden.budget(), golden.candidates()), flipped);
  }

  private static int capIndex(GoldenCase golden) {
    return (int) Math.round(golden.finalCap() / 0.2) - 1;
  }

  @ParameterizedTest
  @ValueSource(strings = {"edge", "letter", "mnist"})
  void medianKMeansInertiaIsWithinTwoPercent(String name) {
    GoldenCase golden = GoldenCase.of(name);
    double[] mask = golden.expected("candidates_" + CAP_NAMES[capIndex(golden)]);
    int[] rows = IntStream.range(0, mask.length).filter(i -> mask[i] != 0).toArray();
    FloatMatrix embeddings = golden.pool().gather(rows);
    Kernels.normalizeRows(embeddings);
    double[] inertia =
        IntStream.range(0, 5)
            .mapToDouble(
                seed ->
                    KMeans.cluster(
                            embeddings,
                            KMeans.Options.of(golden.budget()),
                            new SplittableRandom(seed))
                        .inertia())
            .sorted()
            .toArray();
    assertEquals(golden.inertia(), inertia[2], 0.02 * golden.inertia());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void entropyMarginAndBaldScoresMatch(GoldenCase golden) {
    assertScores(golden, "entropy", "entropy");
    assertScores(golden, "margin", "margin");
    assertScores(golden, "bald", "bald");
  }

  /** Selects the whole pool, which returns the score of every item. */
  private static void assertScores(GoldenCase golden, String strategy, String array) {
    double[] expected = golden.expected(array);
    Selection selection =
        Strategies.create(strategy, Map.of())
            .select(golden.snapshot(), expected.length, new SplittableRandom(1));
    assertEquals(expected.length, selection.picks().size());
    for (Pick pick : selection.picks()) {
      assertClose(expected[pick.item()], pick.score(), strategy + ", row " + pick.item());
    }
  }

  private static void assertClose(double expected, double found, String what) {
    assertEquals(expected, found, 1e-4 * Math.max(1, Math.abs(expected)), what);
  }

  @ParameterizedTest
  @ValueSource(strings = {"edge", "letter", "mnist"})
  void coresetAndCdalPicksMatch(String name) {
    GoldenCase golden = GoldenCase.of(name);
    for (String strategy : new String[] {"coreset", "cdal"}) {
      int[] expected = golden.expectedPicks(strategy);
      Selection selection =
          Strategies.create(strategy, Map.of())
              .select(golden.snapshot(), expected.length, new SplittableRandom(1));
      assertArrayEquals(expected, selection.items(), strategy);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void badgeNormsFirstPickAndDistancesMatch(GoldenCase golden) {
    OuterProductPoints gradients = org.alfamix.strategy.GoldenAccess.gradients(golden.snapshot());
    double[] norms = golden.expected("badge_norm2");
    double[] distances = golden.expected("badge_d2_to_first");
    int first = golden.expectedPicks("badge_first")[0];
    for (int i = 0; i < norms.length; i++) {
      assertClose(norms[i], gradients.squaredNorm(i), "squared norm, row " + i);
    }
    // Both paths to a distance: the one with bounds and the one by inner products.
    float[] least = new float[norms.length];
    Arrays.fill(least, Float.POSITIVE_INFINITY);
    gradients.lowerDistances(first, least);
    float[] products = new float[norms.length];
    gradients.products(new int[] {first}, products);
    for (int i = 0; i < norms.length; i++) {
      assertClose(distances[i], least[i], "squared distance, row " + i);
      // The error of a difference of floats is relative to the size of the operands.
      double sum = gradients.squaredNorm(i) + gradients.squaredNorm(first);
      assertEquals(distances[i], sum - 2 * products[i], 1e-5 * sum, "by products, row " + i);
    }
    assertEquals(first, select("badge", golden).items()[0]);
  }

  private static Selection select(String strategy, GoldenCase golden) {
    return Strategies.create(strategy, Map.of())
        .select(golden.snapshot(), golden.budget(), new SplittableRandom(1));
  }
}
