package org.alfamix.strategy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.alfamix.golden.OpaqueHead;
import org.alfamix.math.FloatMatrix;
import org.alfamix.mix.AlphaBound;
import org.alfamix.mix.Anchors;
import org.alfamix.mix.Candidates;
import org.alfamix.mix.Flip;
import org.alfamix.mix.LinearFlips;
import org.alfamix.mix.MixedFlips;
import org.alfamix.model.Head;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares ALFA-Mix with the method as described in the paper, and tests edge cases. */
class AlfaMixTest {
  private static final double[] CAPS = {0.2, 0.4, 0.6, 0.8, 1.0};

  private static FloatMatrix anchors(Snapshot snapshot) {
    return Anchors.classMeans(snapshot.labelled(), snapshot.labels(), snapshot.classes());
  }

  private static LinearHead head(Snapshot snapshot) {
    return (LinearHead) snapshot.head().orElseThrow();
  }

  private static Selection select(Snapshot snapshot, int budget) {
    return Strategies.create("alfamix", Map.of()).select(snapshot, budget, new SplittableRandom(1));
  }

  /**
   * Classes, features, seed and shift of the pool. The cases include class counts that do not fill
   * a vector, many shared zero features, and no equal features.
   */
  @ParameterizedTest
  @CsvSource({
    "2, 5, 1, 0",
    "3, 16, 2, 0",
    "10, 64, 3, 0",
    "26, 33, 4, 0",
    "40, 70, 5, 0.3",
    "7, 200, 6, 0"
  })
  void bothImplementationsMatchTheReferenceImplementation(
      int classes, int features, long seed, float shift) {
    Snapshot snapshot = Snapshots.random(300, 2 * classes, features, classes, seed);
    FloatMatrix pool = snapshot.unlabelled().toMatrix();
    for (int i = 0; i < pool.array().length; i++) {
      pool.array()[i] += shift;
    }
    FloatMatrix anchors = anchors(snapshot);
    ReferenceAlfaMix literal = new ReferenceAlfaMix(head(snapshot), anchors);
    Flip[] flips = new LinearFlips(head(snapshot), anchors).flips(pool);
    Head opaque = new OpaqueHead(head(snapshot));
    for (double cap : CAPS) {
      Candidates linear =
          Candidates.ofLinear(
              new LinearFlips(head(snapshot), anchors), pool, new double[] {cap}, 300);
      Candidates general =
          Candidates.ofMixed(MixedFlips.closedForm(opaque, anchors), pool, new double[] {cap}, 300);
      boolean[] byFormula = mask(linear);
      boolean[] byMixing = mask(general);
      int flipped = 0;
      for (int i = 0; i < 300; i++) {
        if (flips[i] != null && Math.abs(flips[i].cap() - cap) < 1e-5) {
          continue; // at the threshold, float and double may differ
        }
        boolean expected = literal.flips(pool.row(i), cap);
        flipped += expected ? 1 : 0;
        assertEquals(expected, byFormula[i], "linear, row " + i + " at " + cap);
        assertEquals(expected, byMixing[i], "general, row " + i + " at " + cap);
      }
      assertTrue(cap < 1 || flipped > 0, "the case must contain a flip");
    }
  }

  /** Features are multiples of 0.5, so that items share non-zero values with anchors. */
  @ParameterizedTest
  @CsvSource({"4, 12, 1", "30, 65, 2", "80, 130, 3"})
  void sharedFeaturesDoNotMove(int classes, int features, long seed) {
    Snapshot random = Snapshots.random(300, classes, features, classes, seed);
    FloatMatrix pool = roundToHalves(random.unlabelled().toMatrix());
    int[] labels = new int[classes];
    Arrays.setAll(labels, k -> k);
    FloatMatrix anchors = Anchors.classMeans(roundToHalves(random.labelled()), labels, classes);
    ReferenceAlfaMix literal = new ReferenceAlfaMix(head(random), anchors);
    Flip[] flips = new LinearFlips(head(random), anchors).flips(pool);
    int flipped = 0;
    for (int i = 0; i < 300; i++) {
      for (double cap : new double[] {0.2, 0.6, 1}) {
        if (flips[i] == null || Math.abs(flips[i].cap() - cap) > 1e-5) {
          boolean expected = literal.flips(pool.row(i), cap);
          flipped += expected ? 1 : 0;
          assertEquals(expected, flips[i] != null && flips[i].cap() < cap, "row " + i);
        }
      }
    }
    assertTrue(
        flipped > 0 && flipped < 900,
        "the case must contain items that flip and items that do not");
  }

  private static FloatMatrix roundToHalves(FloatMatrix matrix) {
    FloatMatrix result = matrix.copy();
    for (int i = 0; i < result.array().length; i++) {
      result.array()[i] = Math.round(2 * result.array()[i]) / 2f;
    }
    return result;
  }

  private static boolean[] mask(Candidates candidates) {
    boolean[] result = new boolean[300];
    for (int c = 0; c < candidates.size(); c++) {
      result[candidates.item(c)] = true;
    }
    return result;
  }

  @Test
  void predictionBecomesTheReportedClassJustAboveTheCap() {
    Snapshot snapshot = Snapshots.random(200, 30, 32, 8, 9);
    ReferenceAlfaMix literal = new ReferenceAlfaMix(head(snapshot), anchors(snapshot));
    FloatMatrix pool = snapshot.unlabelled().toMatrix();
    Flip[] flips = new LinearFlips(head(snapshot), anchors(snapshot)).flips(pool);
    for (int i = 0; i < flips.length; i++) {
      if (flips[i] != null && flips[i].cap() < 10) {
        float[] z = pool.row(i);
        assertEquals(
            flips[i].flipsTo(), literal.predictMixed(z, flips[i].anchor(), flips[i].cap() * 1.001));
        assertEquals(
            literal.predict(z), literal.predictMixed(z, flips[i].anchor(), flips[i].cap() * 0.999));
      }
    }
  }

  @Test
  void growsTheCapUntilMoreItemsThanTheBudgetFlip() {
    Snapshot snapshot = Snapshots.random(1000, 40, 24, 7, 12);
    FloatMatrix pool = snapshot.unlabelled().toMatrix();
    int[] counts =
        Arrays.stream(CAPS)
            .mapToInt(
                cap ->
                    Candidates.ofLinear(
                            new LinearFlips(head(snapshot), anchors(snapshot)),
                            pool,
                            new double[] {cap},
                            1000)
                        .size())
            .toArray();
    assertTrue(counts[0] > 1 && counts[1] > counts[0], Arrays.toString(counts));
    assertEquals(0.2, cap(select(snapshot, counts[0] - 1)), 1e-9);
    assertEquals(0.4, cap(select(snapshot, counts[0])), 1e-9);
    assertEquals(counts[1], select(snapshot, counts[0]).candidates());
  }

  @Test
  void addsRandomPicksLastForLackOfCandidates() {
    Snapshot snapshot = Snapshots.random(1000, 40, 24, 7, 12);
    int candidates = select(snapshot, 1000).candidates();
    assertTrue(candidates < 999, "the case must lack candidates");
    Selection selection = select(snapshot, candidates + 1);
    assertEquals(1, selection.toppedUp());
    List<Pick> picks = selection.picks();
    Pick last = picks.get(candidates);
    assertEquals(Double.POSITIVE_INFINITY, last.score());
    assertTrue(last.reason().startsWith("selected at random"));
    for (int p = 1; p < picks.size(); p++) {
      assertTrue(picks.get(p - 1).score() <= picks.get(p).score(), "ascending flip caps");
    }
  }

  @Test
  void picksDistinctRandomItemsIfNoneFlips() {
    // With a head that ignores its input, no item flips.
    Snapshot base = Snapshots.random(50, 10, 6, 3, 1);
    Snapshot blind =
        Snapshot.of(base.unlabelled())
            .labelled(base.labelled(), base.labels())
            .head(new LinearHead(FloatMatrix.zeros(3, 6), new float[] {3, 2, 1}))
            .build();
    Selection selection = select(blind, 20);
    assertEquals(0, selection.candidates());
    assertEquals(20, selection.toppedUp());
    assertEquals(20, Arrays.stream(selection.items()).distinct().count());
    assertEquals(1.0, cap(selection), 1e-9);
  }

  @Test
  void doesNotFlipAnItemThatEqualsEveryAnchor() {
    FloatMatrix weights = FloatMatrix.of(new float[] {1, 0}, new float[] {0, 1});
    Snapshot snapshot =
        Snapshot.of(FloatMatrix.of(new float[] {2, 1}))
            .labelled(FloatMatrix.of(new float[] {2, 1}), 0)
            .head(new LinearHead(weights, new float[2]))
            .build();
    Selection selection = select(snapshot, 1);
    assertEquals(0, selection.candidates());
    assertEquals(1, selection.toppedUp());
  }

  @Test
  void includesClassNamesInTheReason() {
    Snapshot base = Snapshots.random(300, 20, 16, 3, 2);
    Snapshot named =
        Snapshot.of(base.unlabelled())
            .labelled(base.labelled(), base.labels())
            .head(base.head().orElseThrow())
            .classNames(List.of("heron", "egret", "stork"))
            .build();
    String reason = select(named, 5).picks().get(0).reason();
    assertTrue(
        reason.matches(
            "predicted (heron|egret|stork), flips to (heron|egret|stork) at a"
                + " mixing ratio of [0-9.e-]+ % towards class (heron|egret|stork)"),
        reason);
  }

  @Test
  void buildersSetEachOption() {
    assertEquals(AlfaMix.Options.DEFAULT, AlfaMix.builder().options());
    assertEquals(
        AlfaMix.ENTRY.read(
            Map.of(
                "anchors", "none",
                "picks", "uniform",
                "cap-step", "0.1",
                "grow", "false",
                "restarts", "3")),
        AlfaMix.builder()
            .anchors(AlfaMix.AnchorChoice.NONE)
            .picks(AlfaMix.PickRule.UNIFORM)
            .capStep(0.1)
            .grow(false)
            .restarts(3)
            .options());
    assertEquals(
        AlfaMix.ENTRY.read(
            Map.of(
                "alpha", "projected-gradient",
                "maxCap", "0.8",
                "alphaBound", "step",
                "alphaSteps", "7",
                "alphaRate", "0.5",
                "alphaPenalty", "0.25")),
        AlfaMix.builder()
            .alpha(AlfaMix.Alpha.PROJECTED_GRADIENT)
            .maxCap(0.8)
            .alphaBound(AlphaBound.STEP)
            .alphaSteps(7)
            .alphaRate(0.5)
            .alphaPenalty(0.25)
            .options());
    assertEquals(Gcnal.Options.DEFAULT, Gcnal.builder().options());
    assertEquals(
        new Gcnal.Options(Gcnal.Picks.UNCERTAIN, 1, 2, 0.1, 0.2, 0.3, 0.4, 5, 0.6),
        Gcnal.builder()
            .picks(Gcnal.Picks.UNCERTAIN)
            .sample(1)
            .hidden(2)
            .dropout(0.1)
            .learningRate(0.2)
            .weightDecay(0.3)
            .lambda(0.4)
            .steps(5)
            .margin(0.6)
            .options());
    assertThrows(IllegalArgumentException.class, () -> AlfaMix.builder().capStep(-1).build());
  }

  @Test
  void reportsInvalidOptions() {
    String unknown =
        assertThrows(
                IllegalArgumentException.class,
                () -> Strategies.create("alfamix", Map.of("capstep", "1")))
            .getMessage();
    assertEquals(
        "Strategy 'alfamix' has no option 'capstep'; its options are alpha, anchors, picks,"
            + " capStep, grow, maxCap, restarts, alphaBound, alphaSteps, alphaRate, alphaPenalty.",
        unknown);
    String outOfRange =
        assertThrows(
                IllegalArgumentException.class,
                () -> Strategies.create("alfamix", Map.of("capStep", "-1")))
            .getMessage();
    assertEquals("Option capStep of alfamix must be above 0 and finite, got -1.0.", outOfRange);
    String notAnInteger =
        assertThrows(
                IllegalArgumentException.class,
                () -> Strategies.create("alfamix", Map.of("restarts", "many")))
            .getMessage();
    assertEquals("Option restarts of alfamix is 'many', expected an integer.", notAnInteger);
    Selection fixed =
        Strategies.create("alfamix", Map.of("capStep", "0.5", "maxCap", "0.5"))
            .select(Snapshots.random(300, 20, 16, 3, 2), 299, new SplittableRandom(1));
    assertEquals(0.5, cap(fixed));
  }

  @Test
  void classMeansFallBackToTheOverallMean() {
    FloatMatrix labelled =
        FloatMatrix.of(new float[] {1, 2}, new float[] {3, 4}, new float[] {8, 0});
    FloatMatrix anchors = Anchors.classMeans(labelled, new int[] {2, 2, 0}, 3);
    assertArrayEquals(new float[] {8, 0}, anchors.row(0));
    assertArrayEquals(new float[] {4, 2}, anchors.row(1));
    assertArrayEquals(new float[] {2, 3}, anchors.row(2));
  }

  /** Values far from the origin must not impair the precision of differences. */
  @ParameterizedTest
  @CsvSource({"64, 100, 0", "256, 1000, 0", "2048, 100, 0", "128, 0, 100", "128, 0, 1000"})
  void isRobustToOffsetsOfItemsAndWeights(int features, float itemOffset, float weightOffset) {
    Snapshot base = Snapshots.random(200, 30, features, 6, 21);
    float[] shift = new float[features];
    Arrays.fill(shift, -itemOffset);
    float[] tilt = new float[features];
    Arrays.fill(tilt, -weightOffset);
    FloatMatrix pool = base.unlabelled().toMatrix().minus(shift);
    FloatMatrix anchors = anchors(base).minus(shift);
    FloatMatrix weights = head(base).weights().minus(tilt);
    float[] bias = new float[6];
    for (int k = 0; k < 6; k++) {
      for (float weight : weights.row(k)) {
        bias[k] -= itemOffset * weight; // keeps the predictions unchanged
      }
    }
    LinearHead head = new LinearHead(weights, bias);
    ReferenceAlfaMix literal = new ReferenceAlfaMix(head, anchors);
    LinearFlips test = new LinearFlips(head, anchors);
    Flip[] flips = test.flips(pool);
    float[] bounds = new float[200];
    test.lowerBounds(pool, bounds, 0);
    int checked = 0;
    for (int i = 0; i < 200; i++) {
      if (flips[i] != null && flips[i].cap() > 0.05 && flips[i].cap() < 2) {
        checked++;
        assertTrue(bounds[i] <= flips[i].cap(), "row " + i);
        assertTrue(literal.flips(pool.row(i), flips[i].cap() * 1.01), "row " + i);
        assertEquals(
            literal.predict(pool.row(i)),
            literal.predictMixed(pool.row(i), flips[i].anchor(), flips[i].cap() * 0.99));
      }
    }
    assertTrue(checked > 20, checked + " rows checked");
  }

  @Test
  void boundIsValidDespiteCancellation() {
    int features = 32_768;
    SplittableRandom random = new SplittableRandom(5);
    FloatMatrix items = Snapshots.gaussian(60, features, random, 1e-3);
    float[] shift = new float[features];
    Arrays.fill(shift, -1.1f);
    items = items.minus(shift);
    FloatMatrix anchors = items.slice(0, 3).copy();
    LinearHead head = new LinearHead(Snapshots.gaussian(3, features, random, 1), new float[3]);
    LinearFlips test = new LinearFlips(head, anchors);
    Flip[] flips = test.flips(items);
    float[] bounds = new float[60];
    test.lowerBounds(items, bounds, 0);
    for (int i = 0; i < 60; i++) {
      assertTrue(flips[i] == null || bounds[i] <= flips[i].cap(), "row " + i + ": " + bounds[i]);
    }
  }

  @Test
  void endsAtMaxCapEvenIfTheStepDoesNotDivideIt() {
    Snapshot snapshot = Snapshots.random(300, 20, 16, 3, 2);
    Selection selection =
        Strategies.create("alfamix", Map.of("capStep", "0.3"))
            .select(snapshot, 300, new SplittableRandom(1));
    assertEquals(1.0, cap(selection));
    assertThrows(
        IllegalArgumentException.class,
        () -> Strategies.create("alfamix", Map.of("capStep", "1e-12")));
  }

  @Test
  void prefersThePredictionOfTheHeadToProbabilities() {
    Snapshot base = Snapshots.random(300, 20, 16, 3, 2);
    FloatMatrix same = FloatMatrix.zeros(300, 3);
    for (int i = 0; i < 300; i++) {
      same.set(i, 1, 1);
    }
    Snapshot both =
        Snapshot.of(base.unlabelled())
            .labelled(base.labelled(), base.labels())
            .head(base.head().orElseThrow())
            .probabilities(same)
            .build();
    for (Pick pick : select(both, 40).picks()) {
      if (pick.score() < Double.POSITIVE_INFINITY) {
        assertEquals(base.predict(pick.item()), pick.predicted());
      }
    }
  }

  private static double cap(Selection selection) {
    return MixDiagnostics.of(selection).orElseThrow().cap();
  }
}
