package org.alfamix.inspect;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.alfamix.golden.GoldenCase;
import org.alfamix.golden.OpaqueHead;
import org.alfamix.inspect.Inspection.ClassFlip;
import org.alfamix.inspect.Inspection.Move;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.mix.Candidates;
import org.alfamix.mix.GradientStep;
import org.alfamix.mix.LinearFlips;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests explanations of predictions. */
class InspectorTest {

  @ParameterizedTest
  @ValueSource(strings = {"edge", "few", "letter", "mnist"})
  void flipCapOfTheFirstClassMatchesTheGoldenOne(String name) {
    GoldenCase golden = GoldenCase.of(name);
    double[] expected = golden.expected("flip_cap");
    Inspector inspector = new Inspector(golden.snapshot());
    for (int i = 0; i < Math.min(200, expected.length); i++) {
      Inspection inspection = inspector.inspect(golden.pool().row(i));
      assertEquals(golden.snapshot().classes(), inspection.classes().size());
      ClassFlip first = inspection.classes().get(0);
      if (Double.isInfinite(expected[i])) {
        assertTrue(!first.flips(), "row " + i);
      } else {
        assertEquals(expected[i], first.cap(), Math.max(1e-4 * expected[i], 2e-6), "row " + i);
      }
      assertEquals(golden.snapshot().predict(i), inspection.predicted());
    }
  }

  /** A non-linear head gives the same flips and moves as the exact computation. */
  @Test
  void searchesTheFlipsOfANonLinearHead() {
    GoldenCase golden = GoldenCase.of("letter");
    Snapshot opaque =
        Snapshot.of(golden.pool())
            .labelled(golden.snapshot().labelled(), golden.snapshot().labels())
            .head(new OpaqueHead(golden.head()))
            .build();
    Inspector exact = new Inspector(golden.snapshot());
    Inspector searching = new Inspector(opaque);
    int compared = 0;
    for (int i = 0; i < 30; i++) {
      Inspection one = exact.inspect(golden.pool().row(i));
      Inspection other = searching.inspect(golden.pool().row(i));
      assertEquals(one.nearest(), other.nearest());
      for (ClassFlip flip : one.classes()) {
        ClassFlip match =
            other.classes().stream()
                .filter(each -> each.anchor() == flip.anchor())
                .findFirst()
                .orElseThrow();
        if (flip.cap() < Inspector.MAX_CAP - 0.01) {
          compared++;
          assertEquals(flip.cap(), match.cap(), 1e-3 * flip.cap() + 1e-5);
          assertEquals(flip.flipsTo(), match.flipsTo());
          assertEquals(flip.moves().get(0).feature(), match.moves().get(0).feature());
        } else if (flip.cap() > Inspector.MAX_CAP + 0.01) {
          assertTrue(!match.flips());
        }
      }
    }
    assertTrue(compared > 50, compared + " flips compared");
  }

  @Test
  void reportsTheLargestMovesWithoutSharedFeatures() {
    // Features 0 and 2 favour class 1; the item shares feature 2 with the anchor.
    LinearHead head =
        new LinearHead(FloatMatrix.of(new float[] {0, 1, 0}, new float[] {2, 0, 5}), new float[2]);
    Snapshot snapshot =
        Snapshot.of(FloatMatrix.zeros(0, 3))
            .labelled(
                FloatMatrix.of(new float[] {0, 9, 0}, new float[] {4, 0, 0}, new float[] {4, 2, 0}),
                0,
                1,
                1)
            .head(head)
            .build();
    float[] item = {0, 3, 0};
    Inspection inspection = new Inspector(snapshot).inspect(item);
    assertEquals(0, inspection.predicted());
    ClassFlip towards1 =
        inspection.classes().stream().filter(flip -> flip.anchor() == 1).findFirst().orElseThrow();
    assertEquals(2, towards1.labels());
    assertEquals(1, towards1.flipsTo());
    assertEquals(Math.sqrt(20), towards1.distance(), 1e-5);
    // The gradient is (2, −1, 5); feature 2 is 0 in both and does not move.
    assertArrayEquals(
        new int[] {0, 1}, towards1.moves().stream().mapToInt(Move::feature).toArray());
    Move first = towards1.moves().get(0);
    assertEquals(0, first.from());
    assertTrue(first.to() > 0);
    Move second = towards1.moves().get(1);
    // At the flip both classes are equal: 2 · x0 = x1.
    assertEquals(second.to(), 2 * first.to(), 1e-4);
    assertEquals(towards1.cap() / Math.sqrt(3), towards1.share(), 1e-9);
    // Towards class 0 only feature 1 differs: moving it back makes both logits equal at 0.
    assertEquals(2, inspection.classes().size());
    assertEquals(1, inspection.nearest().get(0).label());
    assertEquals(3, inspection.nearest().size());
  }

  @Test
  void inspectsWithoutAHeadOrLabels() {
    FloatMatrix pool = FloatMatrix.of(new float[] {1, 2});
    Inspection bare = new Inspector(Snapshot.of(pool).build()).inspect(pool.row(0));
    assertEquals(-1, bare.predicted());
    assertTrue(bare.classes().isEmpty() && bare.nearest().isEmpty());
    LinearHead head =
        new LinearHead(FloatMatrix.of(new float[] {1, 0}, new float[] {0, 1}), new float[2]);
    Inspection withHead = new Inspector(Snapshot.of(pool).head(head).build()).inspect(pool.row(0));
    assertEquals(1, withHead.predicted());
    assertTrue(withHead.classes().isEmpty());
    Inspection labelled =
        new Inspector(Snapshot.of(pool).labelled(pool, 0).classes(2).build())
            .inspect(new float[] {1, 5});
    assertEquals(3, labelled.nearest().get(0).distance(), 1e-6);
    assertTrue(labelled.classes().isEmpty());
  }

  @ParameterizedTest
  @EnumSource(GradientStep.class)
  void reportsASingleFlipWithoutAnchors(GradientStep step) {
    GoldenCase golden = GoldenCase.of("mnist");
    LinearFlips flips = LinearFlips.adversarial(golden.head(), step);
    Candidates candidates = Candidates.ofLinear(flips, golden.pool(), new double[] {0.2}, 1);
    Inspector inspector = new Inspector(golden.snapshot(), candidates);
    Inspection inspection = inspector.inspect(golden.pool().row(3));
    assertEquals(1, inspection.classes().size());
    assertEquals(-1, inspection.classes().get(0).anchor());
    double cap = flips.flips(golden.pool().slice(3, 4))[0].cap();
    assertEquals(cap, inspection.classes().get(0).cap(), 1e-6);
    double norm = Math.sqrt(Kernels.squaredNorm(golden.pool(), 3));
    assertEquals(
        step == GradientStep.FIXED ? 1 : norm, inspection.classes().get(0).distance(), 1e-4);
  }

  @Test
  void rejectsInvalidItems() {
    GoldenCase golden = GoldenCase.of("edge");
    Inspector inspector = new Inspector(golden.snapshot());
    String message =
        assertThrows(IllegalArgumentException.class, () -> inspector.inspect(new float[5]))
            .getMessage();
    assertEquals("item: expected 6 features, found 5.", message);
    assertThrows(
        IllegalArgumentException.class,
        () -> inspector.inspect(new float[] {1, 2, 3, 4, 5, Float.NaN}));
  }
}
