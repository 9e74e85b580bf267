package org.alfamix.strategy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alfamix.golden.GoldenCase;
import org.alfamix.golden.OpaqueHead;
import org.alfamix.math.FloatMatrix;
import org.alfamix.mix.AlphaBound;
import org.alfamix.mix.Anchors;
import org.alfamix.mix.Candidates;
import org.alfamix.mix.Flip;
import org.alfamix.mix.GradientStep;
import org.alfamix.mix.LinearFlips;
import org.alfamix.mix.Mix;
import org.alfamix.mix.MixStatistics;
import org.alfamix.mix.MixedFlips;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the variants of ALFA-Mix studied in the paper with its formulas. */
class AlfaMixVariantsTest {
  private static final double[] CAPS = {0.2, 0.4, 0.6, 0.8, 1.0};

  static Stream<GoldenCase> cases() {
    return GoldenCase.NAMES.stream().map(GoldenCase::of);
  }

  private static Selection select(Snapshot snapshot, int budget, String... options) {
    Map<String, String> map = new LinkedHashMap<>();
    for (String option : options) {
      map.put(option.split("=")[0], option.split("=")[1]);
    }
    return Strategies.create("alfamix", map).select(snapshot, budget, new SplittableRandom(3));
  }

  private static FloatMatrix anchors(Snapshot snapshot) {
    return Anchors.classMeans(snapshot.labelled(), snapshot.labels(), snapshot.classes());
  }

  private static LinearHead head(Snapshot snapshot) {
    return (LinearHead) snapshot.head().orElseThrow();
  }

  private static Snapshot opaque(Snapshot snapshot) {
    return Snapshot.of(snapshot.unlabelled())
        .labelled(snapshot.labelled(), snapshot.labels())
        .head(new OpaqueHead(head(snapshot)))
        .build();
  }

  static Stream<Arguments> casesAndBounds() {
    return cases()
        .flatMap(
            golden -> Stream.of(AlphaBound.values()).map(bound -> Arguments.of(golden, bound)));
  }

  @ParameterizedTest
  @MethodSource("casesAndBounds")
  void projectedGradientNeverFindsFewerFlipsThanRandomRatios(GoldenCase golden, AlphaBound bound) {
    int all = golden.pool().rows();
    FloatMatrix anchors = anchors(golden.snapshot());
    int more = 0;
    int minimum = all;
    for (double cap : CAPS) {
      for (long seed = 1; seed <= 3; seed++) {
        double[] one = {cap};
        Candidates random =
            Candidates.ofMixed(
                MixedFlips.random(golden.head(), anchors, seed, bound), golden.pool(), one, all);
        Candidates searched =
            Candidates.ofMixed(
                MixedFlips.projectedGradient(golden.head(), anchors, seed, bound, 5, 0.1, 0.01),
                golden.pool(),
                one,
                all);
        Set<Integer> found = Arrays.stream(searched.items()).boxed().collect(Collectors.toSet());
        for (int item : random.items()) {
          assertTrue(found.contains(item), "item " + item + " at " + cap);
        }
        more += searched.size() - random.size();
        minimum = Math.min(minimum, random.size());
      }
    }
    assertTrue(more > 0 || minimum == all, "the search must find flips that random ratios do not");
  }

  /** ‖α‖ as in the paper, in double precision; random ratios have exactly this norm. */
  @ParameterizedTest
  @ValueSource(strings = {"edge", "mnist"})
  void boundsRatiosByTheNormOfTheClosedForm(String name) {
    GoldenCase golden = GoldenCase.of(name);
    FloatMatrix anchors = anchors(golden.snapshot());
    ReferenceAlfaMix literal = new ReferenceAlfaMix(golden.head(), anchors);
    MixedFlips random = MixedFlips.random(golden.head(), anchors, 5, AlphaBound.NORM);
    MixedFlips searched =
        MixedFlips.projectedGradient(golden.head(), anchors, 5, AlphaBound.NORM, 5, 0.1, 0.01);
    int all = golden.pool().rows();
    int compared = 0;
    for (MixedFlips test : List.of(random, searched)) {
      Candidates found = Candidates.ofMixed(test, golden.pool(), new double[] {0.6}, all);
      Mix[] mixes = found.mixes(false);
      for (int c = 0; c < mixes.length; c++) {
        double longest =
            norm(literal.alpha(golden.pool().row(found.item(c)), mixes[c].anchor(), 0.6));
        assertTrue(mixes[c].norm() <= longest * 1.001, "row " + found.item(c));
        if (test == random) {
          assertEquals(longest, mixes[c].norm(), 1e-3 * longest, "row " + found.item(c));
        }
        compared++;
      }
    }
    assertTrue(compared > 10, compared + " mixes");
  }

  /** To first order, no step of the same length increases the loss more than the closed form. */
  @ParameterizedTest
  @MethodSource("cases")
  void closedFormFlipsMostAtEqualStepLength(GoldenCase golden) {
    FloatMatrix anchors = anchors(golden.snapshot());
    int all = golden.pool().rows();
    for (double cap : CAPS) {
      double[] one = {cap};
      MixedFlips random = MixedFlips.random(golden.head(), anchors, 5, AlphaBound.STEP);
      int flippedAtRandom = Candidates.ofMixed(random, golden.pool(), one, all).size();
      LinearFlips closed = new LinearFlips(golden.head(), anchors);
      assertTrue(flippedAtRandom <= Candidates.ofLinear(closed, golden.pool(), one, all).size());
    }
  }

  /** The mixes computed for a linear head match those found by mixing. */
  @ParameterizedTest
  @MethodSource("cases")
  void bothImplementationsReportTheSameMixes(GoldenCase golden) {
    int all = golden.pool().rows();
    FloatMatrix anchors = anchors(golden.snapshot());
    double[] flipCaps = golden.expected("flip_cap");
    Candidates linear =
        Candidates.ofLinear(new LinearFlips(golden.head(), anchors), golden.pool(), CAPS, all);
    Candidates mixed =
        Candidates.ofMixed(
            MixedFlips.closedForm(new OpaqueHead(golden.head()), anchors).withDivergences(),
            golden.pool(),
            CAPS,
            all);
    assertEquals(linear.size(), mixed.size());
    Mix[] byFormula = linear.mixes(true);
    Mix[] byMixing = mixed.mixes(true);
    for (int c = 0; c < linear.size(); c++) {
      int item = linear.item(c);
      assertEquals(item, mixed.item(c));
      if (Arrays.stream(CAPS).noneMatch(cap -> Math.abs(cap - flipCaps[item]) < 1e-4)) {
        assertEquals(
            byMixing[c].norm(), byFormula[c].norm(), 2e-3 * byFormula[c].norm(), "row " + item);
        assertEquals(
            byMixing[c].divergence(),
            byFormula[c].divergence(),
            2e-3 * byFormula[c].divergence() + 1e-5,
            "row " + item);
      }
    }
    MixStatistics one = linear.statistics();
    MixStatistics other = mixed.statistics();
    assertEquals(CAPS.length, one.caps().size());
    for (int c = 0; c < CAPS.length; c++) {
      assertEquals(one.caps().get(c).flipped(), other.caps().get(c).flipped(), 1);
      for (int k = 0; k < anchors.rows(); k++) {
        int[] counts = {one.caps().get(c).perAnchor()[k], other.caps().get(c).perAnchor()[k]};
        assertEquals(counts[0], counts[1], 1 + 0.002 * counts[0], "cap " + c + ", anchor " + k);
      }
    }
    assertEquals(other.alphaMean(), one.alphaMean(), 0.01 * Math.abs(one.alphaMean()) + 1e-3);
  }

  /** α, its statistics and the divergence as in the paper, in double precision. */
  @ParameterizedTest
  @ValueSource(strings = {"edge", "mnist"})
  void ratiosAndDivergencesMatchTheReferenceImplementation(String name) {
    GoldenCase golden = GoldenCase.of(name);
    FloatMatrix anchors = anchors(golden.snapshot());
    ReferenceAlfaMix literal = new ReferenceAlfaMix(golden.head(), anchors);
    int all = golden.pool().rows();
    double[] flipCaps = golden.expected("flip_cap");
    Candidates candidates =
        Candidates.ofLinear(new LinearFlips(golden.head(), anchors), golden.pool(), CAPS, all);
    Mix[] mixes = candidates.mixes(true);
    double[] means = new double[mixes.length];
    double[] deviations = new double[mixes.length];
    int compared = 0;
    for (int c = 0; c < mixes.length; c++) {
      int item = candidates.item(c);
      float[] z = golden.pool().row(item);
      int y = literal.predict(z);
      double[] least = null;
      double divergence = 0;
      for (double cap : CAPS) {
        for (int k = 0; k < anchors.rows(); k++) {
          if (literal.predictMixed(z, k, cap) != y) {
            double[] alpha = literal.alpha(z, k, cap);
            least = least == null || norm(alpha) < norm(least) ? alpha : least;
            if (cap == 1) {
              divergence = Math.max(divergence, literal.divergence(z, k, cap));
            }
          }
        }
      }
      if (least == null) {
        continue; // at the threshold of the last cap
      }
      means[c] = Arrays.stream(least).average().orElseThrow();
      deviations[c] = deviation(least);
      if (Arrays.stream(CAPS).noneMatch(cap -> Math.abs(cap - flipCaps[item]) < 1e-4)) {
        compared++;
        assertEquals(norm(least), mixes[c].norm(), 1e-3 * norm(least), "norm, row " + item);
        assertEquals(means[c], mixes[c].mean(), 1e-3 * norm(least), "mean, row " + item);
        assertEquals(deviations[c], mixes[c].deviation(), 1e-3 * norm(least), "row " + item);
        assertEquals(divergence, mixes[c].divergence(), 1e-3 * divergence + 1e-5, "row " + item);
      }
    }
    assertTrue(compared > mixes.length / 2, compared + " of " + mixes.length);
    MixStatistics statistics = candidates.statistics();
    assertEquals(mixes.length, statistics.measured());
    double size = Arrays.stream(means).map(Math::abs).max().orElseThrow();
    assertEquals(Arrays.stream(means).average().orElseThrow(), statistics.alphaMean(), 1e-2 * size);
    assertEquals(deviation(means), statistics.alphaMeanDeviation(), 1e-2 * size);
    double mean = Arrays.stream(deviations).average().orElseThrow();
    assertEquals(mean, statistics.alphaDeviation(), 1e-2 * mean);
  }

  private static double norm(double[] x) {
    return Math.sqrt(Arrays.stream(x).map(value -> value * value).sum());
  }

  private static double deviation(double[] x) {
    double mean = Arrays.stream(x).average().orElseThrow();
    return Math.sqrt(
        Arrays.stream(x).map(value -> (value - mean) * (value - mean)).sum() / (x.length - 1));
  }

  @ParameterizedTest
  @CsvSource({
    "3, 16, 2, RELATIVE", "10, 64, 3, RELATIVE", "26, 33, 4, RELATIVE",
    "3, 16, 2, FIXED", "10, 64, 3, FIXED", "26, 33, 4, FIXED"
  })
  void movesItemsAlongTheirGradientWithoutAnchors(
      int classes, int features, long seed, GradientStep step) {
    Snapshot snapshot = Snapshots.random(300, 2 * classes, features, classes, seed);
    FloatMatrix pool = snapshot.unlabelled().toMatrix();
    ReferenceAlfaMix literal = new ReferenceAlfaMix(head(snapshot), anchors(snapshot));
    LinearFlips test = LinearFlips.adversarial(head(snapshot), step);
    Flip[] flips = test.flips(pool);
    MixedFlips general = MixedFlips.adversarial(new OpaqueHead(head(snapshot)), step);
    int flipped = 0;
    for (double cap : CAPS) {
      Flip[] seen = general.flips(pool, cap);
      boolean[] found = new boolean[300];
      Candidates candidates = Candidates.ofLinear(test, pool, new double[] {cap}, 300);
      for (int item : candidates.items()) {
        found[item] = true;
      }
      for (int i = 0; i < 300; i++) {
        if (flips[i] == null || Math.abs(flips[i].cap() - cap) > 1e-5) {
          boolean expected =
              literal.predictMoved(pool.row(i), cap, step) != literal.predict(pool.row(i));
          flipped += expected ? 1 : 0;
          assertEquals(expected, found[i], "linear, row " + i + " at " + cap);
          assertEquals(expected, seen[i] != null, "general, row " + i + " at " + cap);
        }
      }
    }
    assertTrue(flipped > 0);
    Snapshot unlabelled = Snapshot.of(pool).head(head(snapshot)).build();
    boolean fixed = step == GradientStep.FIXED;
    Selection selection = select(unlabelled, 10, fixed ? "anchors=none" : "anchors=none-relative");
    assertTrue(
        selection
            .picks()
            .get(0)
            .reason()
            .matches(
                "predicted \\d+, flips to \\d+ after a step of "
                    + (fixed ? "0\\.\\d+ along.*" : ".* % of its length.*")));
    assertTrue(Double.isNaN(candidates(selection).statistics().alphaMean()));
  }

  @Test
  void randomAnchorsAreLabelledItemsOfTheirClass() {
    Snapshot snapshot = Snapshots.random(50, 40, 8, 5, 7);
    int[] labels = Arrays.stream(snapshot.labels()).map(label -> label % 4).toArray();
    Set<String> seen = new java.util.HashSet<>();
    for (int seed = 0; seed < 20; seed++) {
      FloatMatrix anchors =
          Anchors.randomItems(snapshot.labelled(), labels, 5, new SplittableRandom(seed));
      for (int k = 0; k < 5; k++) {
        float[] anchor = anchors.row(k);
        int[] equal =
            IntStream.range(0, 40)
                .filter(i -> Arrays.equals(snapshot.labelled().row(i), anchor))
                .toArray();
        assertEquals(1, equal.length);
        // Class 4 has no items: any labelled item may be its anchor.
        assertTrue(k == 4 || labels[equal[0]] == k);
        seen.add(k + ":" + equal[0]);
      }
    }
    assertTrue(seen.size() > 10, "expected different anchors: " + seen);
  }

  @Test
  void appliesThePickRule() {
    Snapshot snapshot = GoldenCase.of("mnist").snapshot();
    Selection norms = select(snapshot, 30, "picks=smallest-norm");
    Selection divergences = select(snapshot, 30, "picks=largest-divergence");
    Candidates candidates = candidates(norms);
    Mix[] mixes = candidates.mixes(true);
    double[] byNorm = Arrays.stream(mixes).mapToDouble(Mix::norm).sorted().toArray();
    double[] byDivergence =
        Arrays.stream(mixes).mapToDouble(mix -> -mix.divergence()).sorted().toArray();
    for (int p = 0; p < 30; p++) {
      assertEquals(byNorm[p], norms.picks().get(p).score());
      assertEquals(-byDivergence[p], divergences.picks().get(p).score());
    }
    Set<Integer> known = Arrays.stream(candidates.items()).boxed().collect(Collectors.toSet());
    for (String rule : List.of("kmeans", "kmeans-plus-plus", "uniform")) {
      Selection selection = select(snapshot, 30, "picks=" + rule);
      assertTrue(known.containsAll(Arrays.stream(selection.items()).boxed().toList()), rule);
      assertEquals(0, selection.toppedUp());
      for (int p = 1; p < 30; p++) {
        assertTrue(selection.picks().get(p - 1).score() <= selection.picks().get(p).score());
      }
      assertEquals(
          rule.equals("kmeans"), MixDiagnostics.of(selection).orElseThrow().clusters().isPresent());
    }
    assertNotEquals(
        Arrays.toString(select(snapshot, 30, "picks=uniform").items()),
        Arrays.toString(select(snapshot, 30, "picks=kmeans-plus-plus").items()));
  }

  @Test
  void everyPickOfKMeansIsInItsCluster() {
    Selection selection = select(GoldenCase.of("letter").snapshot(), 20);
    int[] clusters = MixDiagnostics.of(selection).orElseThrow().clusters().orElseThrow();
    Candidates candidates = candidates(selection);
    Map<Integer, Integer> clusterOf = new LinkedHashMap<>();
    for (int c = 0; c < candidates.size(); c++) {
      clusterOf.put(candidates.item(c), clusters[c]);
    }
    for (Pick pick : selection.picks()) {
      assertEquals(pick.cluster(), clusterOf.get(pick.item()));
    }
    assertEquals(20, Arrays.stream(clusters).distinct().count());
  }

  static Stream<List<String>> variants() {
    return Stream.of("closed-form", "projected-gradient", "random")
        .flatMap(
            alpha ->
                Stream.of("class-means", "random-items", "none", "none-relative")
                    .flatMap(
                        anchors ->
                            Stream.of(
                                    "kmeans",
                                    "kmeans-plus-plus",
                                    "uniform",
                                    "smallest-norm",
                                    "largest-divergence")
                                .map(picks -> List.of(alpha, anchors, picks))));
  }

  @ParameterizedTest
  @MethodSource("variants")
  void supportsEveryMeaningfulVariantWithEveryHead(List<String> variant) {
    Snapshot snapshot = Snapshots.random(300, 30, 16, 6, 2);
    String[] options = {
      "alpha=" + variant.get(0), "anchors=" + variant.get(1), "picks=" + variant.get(2)
    };
    boolean meaningless =
        variant.get(1).startsWith("none")
            && (!variant.get(0).equals("closed-form") || variant.get(2).equals("smallest-norm"));
    if (meaningless) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> select(snapshot, 20, options))
              .getMessage();
      assertTrue(
          message.matches(
              "Option anchors=none.* of alfamix .*: without mixing, there are no ratios.*"),
          message);
      return;
    }
    Selection linear = select(snapshot, 20, options);
    Selection general = select(opaque(snapshot), 20, options);
    assertArrayEquals(candidates(linear).items(), candidates(general).items());
    if (!variant.get(2).equals("smallest-norm") && !variant.get(2).equals("largest-divergence")) {
      assertEquals(
          Arrays.stream(linear.items()).boxed().collect(Collectors.toSet()),
          Arrays.stream(general.items()).boxed().collect(Collectors.toSet()));
    }
    for (Selection selection : List.of(linear, general)) {
      MixStatistics statistics = candidates(selection).statistics();
      assertEquals(cap(selection), statistics.caps().get(statistics.caps().size() - 1).cap());
      assertEquals(selection.candidates(), statistics.measured());
      assertEquals(variant.get(1).startsWith("none"), Double.isNaN(statistics.alphaMean()));
      assertFalse(selection.picks().get(0).reason().isBlank());
      for (Pick pick : selection.picks()) {
        assertFalse(Double.isNaN(pick.score()), pick.reason());
      }
    }
  }

  @Test
  void keepsAFixedCap() {
    Snapshot snapshot = Snapshots.random(400, 40, 24, 7, 11);
    Selection fixed = select(snapshot, 399, "grow=false", "capStep=0.3");
    assertEquals(0.3, cap(fixed));
    assertEquals(1, candidates(fixed).statistics().caps().size());
    assertTrue(fixed.toppedUp() > 0);
    // Above maxCap, which is ignored with a fixed cap.
    assertEquals(2.5, cap(select(snapshot, 10, "grow=false", "capStep=2.5")));
  }

  @Test
  void searchedRatiosStayBelowTheCapAndRaiseTheLoss() {
    GoldenCase golden = GoldenCase.of("letter");
    Selection random = select(golden.snapshot(), 1500, "alpha=random", "grow=false");
    Selection searched = select(golden.snapshot(), 1500, "alpha=projected-gradient", "grow=false");
    assertTrue(searched.candidates() > random.candidates());
    for (Mix mix : candidates(searched).mixes(false)) {
      assertTrue(mix.mean() >= 0 && mix.mean() <= 0.2);
      assertTrue(mix.norm() <= 0.2 * Math.sqrt(64) + 1e-6);
    }
    assertTrue(
        searched
            .picks()
            .get(0)
            .reason()
            .matches(
                "predicted \\d+, flips to \\d+ at a mean mixing ratio of [\\d.]+ % per"
                    + " feature towards class \\d+"),
        searched.picks().get(0).reason());
  }

  /** The reason describes a single mix, with its anchor, class and ratios. */
  @Test
  void reasonDescribesTheMixWithTheSmallestNorm() {
    Snapshot snapshot = GoldenCase.of("letter").snapshot();
    Selection selection = select(snapshot, 40, "alpha=projected-gradient", "picks=smallest-norm");
    Candidates candidates = candidates(selection);
    Mix[] mixes = candidates.mixes(false);
    int[] items = candidates.items();
    for (Pick pick : selection.picks()) {
      Mix mix = mixes[Arrays.binarySearch(items, pick.item())];
      String expected =
          "predicted %d, flips to %d at a mean mixing ratio of %s %% per feature towards class %d"
              .formatted(
                  pick.predicted(),
                  mix.flipsTo(),
                  AlfaMix.twoDigits(100 * mix.mean()),
                  mix.anchor());
      assertEquals(expected, pick.reason());
    }
  }

  @Test
  void predictsTheFirstOfEqualClasses() {
    // Zero embeddings under a head without a bias: all logits are 0.
    Snapshot random = Snapshots.random(60, 30, 8, 5, 3);
    FloatMatrix pool = random.unlabelled().toMatrix().copy();
    Arrays.fill(pool.array(), 0, 20 * 8, 0);
    // Integers far from the origin: sums are exact, but not those of centred values.
    SplittableRandom whole = new SplittableRandom(8);
    FloatMatrix weights = FloatMatrix.zeros(5, 8);
    for (int at = 0; at < weights.array().length; at++) {
      weights.array()[at] = whole.nextInt(-2, 3);
    }
    weights.slice(1, 2).copyTo(weights, 3);
    for (int at = 20 * 8; at < pool.array().length; at++) {
      pool.array()[at] = whole.nextInt(-100, 101);
    }
    assertTies(Snapshots.withPool(random, pool));
    assertTies(
        Snapshot.of(pool)
            .labelled(random.labelled(), random.labels())
            .head(new LinearHead(weights, new float[5]))
            .build());
  }

  private static void assertTies(Snapshot snapshot) {
    for (String anchors : List.of("class-means", "random-items", "none")) {
      for (Pick pick : select(snapshot, 60, "anchors=" + anchors).picks()) {
        assertEquals(snapshot.predict(pick.item()), pick.predicted(), pick.reason());
      }
    }
  }

  @Test
  void capsAreExactDecimals() {
    Selection selection = select(Snapshots.random(300, 20, 16, 3, 2), 300);
    double[] caps =
        candidates(selection).statistics().caps().stream()
            .mapToDouble(MixStatistics.AtCap::cap)
            .toArray();
    assertArrayEquals(CAPS, caps);
  }

  @Test
  void lossGradientMatchesFiniteDifferences() {
    Snapshot snapshot = Snapshots.random(20, 10, 6, 4, 5);
    LinearHead head = head(snapshot);
    FloatMatrix z = snapshot.unlabelled().toMatrix();
    int[] labels = IntStream.range(0, 20).map(i -> i % 4).toArray();
    FloatMatrix found = head.lossGradient(z, labels);
    ReferenceAlfaMix literal = new ReferenceAlfaMix(head, anchors(snapshot));
    for (int i = 0; i < 20; i++) {
      for (int d = 0; d < 6; d++) {
        double[] at = new double[6];
        for (int e = 0; e < 6; e++) {
          at[e] = z.get(i, e);
        }
        at[d] += 1e-5;
        double above = literal.loss(at, labels[i]);
        at[d] -= 2e-5;
        double below = literal.loss(at, labels[i]);
        assertEquals((above - below) / 2e-5, found.get(i, d), 1e-5);
      }
    }
    // If the probability of the class is close to 1, the gradient is tiny but not zero.
    FloatMatrix weights = FloatMatrix.of(new float[] {30, 0}, new float[] {0, 0});
    LinearHead steep = new LinearHead(weights, new float[2]);
    float tiny = steep.lossGradient(FloatMatrix.of(new float[] {1, 0}), new int[] {0}).get(0, 0);
    assertEquals(-30 * Math.exp(-30), tiny, 1e-3 * 30 * Math.exp(-30));
  }

  @Test
  void listsDefaultsAndChoicesOfOptions() {
    Map<String, String> defaults = AlfaMix.ENTRY.options();
    assertEquals("closed-form", defaults.get("alpha"));
    assertEquals("class-means", defaults.get("anchors"));
    assertEquals("kmeans", defaults.get("picks"));
    assertEquals(
        List.of("closed-form", "projected-gradient", "random"), AlfaMix.ENTRY.choices("alpha"));
    assertEquals(List.of(), AlfaMix.ENTRY.choices("restarts"));
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> Strategies.create("alfamix", Map.of("picks", "best")))
            .getMessage();
    assertEquals(
        "Option picks of alfamix is 'best', expected one of kmeans, kmeans-plus-plus, uniform,"
            + " smallest-norm, largest-divergence.",
        message);
  }

  private static double cap(Selection selection) {
    return MixDiagnostics.of(selection).orElseThrow().cap();
  }

  private static Candidates candidates(Selection selection) {
    return MixDiagnostics.of(selection).orElseThrow().candidates();
  }
}
