package org.alfamix.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.alfamix.golden.OpaqueHead;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

class SnapshotTest {
  private final FloatMatrix pool = FloatMatrix.zeros(10_000, 3);
  private final FloatMatrix labelled = FloatMatrix.zeros(2, 3);
  private final LinearHead head = new LinearHead(FloatMatrix.zeros(4, 3), new float[4]);

  private static void assertRejected(String message, Executable action) {
    assertEquals(message, assertThrows(IllegalArgumentException.class, action).getMessage());
  }

  @Test
  void reportsTheFirstNonFiniteValue() {
    pool.set(7_003, 1, Float.POSITIVE_INFINITY);
    pool.set(9_000, 0, Float.NaN);
    assertRejected(
        "unlabelled embeddings: row 7003, column 1 is Infinity, expected a finite number.",
        () -> Snapshot.of(pool).build());
    labelled.set(1, 2, Float.NaN);
    assertRejected(
        "labelled embeddings: row 1, column 2 is NaN, expected a finite number.",
        () -> Snapshot.of(pool.slice(0, 5)).labelled(labelled, 0, 1).build());
    assertRejected(
        "head weight: row 0, column 1 is NaN, expected a finite number.",
        () -> new LinearHead(FloatMatrix.of(new float[] {1, Float.NaN}), new float[1]));
    assertRejected(
        "head bias: row 0, column 0 is -Infinity, expected a finite number.",
        () ->
            new LinearHead(FloatMatrix.of(new float[] {1}), new float[] {Float.NEGATIVE_INFINITY}));
    assertRejected(
        "probabilities: row 0, column 0 is NaN, expected a finite number.",
        () ->
            Snapshot.of(FloatMatrix.zeros(1, 3))
                .probabilities(FloatMatrix.of(new float[] {Float.NaN, 1}))
                .build());
  }

  @Test
  void rejectsRowsWhoseSquaredNormOverflows() {
    pool.set(12, 2, 3e20f);
    assertRejected(
        "unlabelled embeddings: the squared norm of row 12 exceeds the range of float; scale the"
            + " values down.",
        () -> Snapshot.of(pool).build());
    assertRejected(
        "head weight: the squared norm of row 0 exceeds the range of float.",
        () -> new LinearHead(FloatMatrix.of(new float[] {1, 1e25f}), new float[1]));
  }

  @Test
  void reportsMismatchedSizes() {
    assertRejected(
        "features of labelled embeddings: expected 3, found 2.",
        () -> Snapshot.of(pool).labelled(FloatMatrix.zeros(1, 2), 0).build());
    assertRejected(
        "number of labels: expected 2, found 1.",
        () -> Snapshot.of(pool).labelled(labelled, 0).build());
    assertRejected(
        "features of the head: expected 3, found 5.",
        () ->
            Snapshot.of(pool).head(new LinearHead(FloatMatrix.zeros(4, 5), new float[4])).build());
    assertRejected(
        "rows of probabilities: expected 10000, found 3.",
        () -> Snapshot.of(pool).probabilities(FloatMatrix.zeros(3, 4)).build());
    assertRejected(
        "head bias: expected 4 values, one per class, found 3.",
        () -> new LinearHead(FloatMatrix.zeros(4, 5), new float[3]));
  }

  @Test
  void rejectsLabelsOutOfRange() {
    assertRejected(
        "labelled item 1: expected a label from 0 to 3, found 4.",
        () -> Snapshot.of(pool).labelled(labelled, 0, 4).head(head).build());
    assertRejected(
        "labelled item 0: expected a label from 0 to 3, found -1.",
        () -> Snapshot.of(pool).labelled(labelled, -1, 0).head(head).build());
  }

  @Test
  void computesLogitsAndTheLossDirectionOfALinearHead() {
    LinearHead two =
        new LinearHead(
            FloatMatrix.of(new float[] {1, 0}, new float[] {0, 2}), new float[] {0.5f, 0});
    FloatMatrix z = FloatMatrix.of(new float[] {3, 1});
    assertArrayEquals(new float[] {3.5f, 2}, two.logits(z).row(0));
    // With two classes, q is 1 for the other one: the direction is W_1 − W_0 for any confidence.
    assertArrayEquals(new float[] {-1, 2}, two.lossDirection(z, new int[] {0}).row(0));
    FloatMatrix certain = FloatMatrix.of(new float[] {3e5f, 1});
    assertArrayEquals(new float[] {-1, 2}, two.lossDirection(certain, new int[] {0}).row(0));
  }

  @Test
  void dropoutDoesNotDependOnTheBlockSize() {
    FloatMatrix rows =
        FloatMatrix.of(new float[] {1, 2, 3}, new float[] {4, 5, 6}, new float[] {7, 8, 9});
    LinearHead any =
        new LinearHead(
            FloatMatrix.of(new float[] {1, 0, .5f}, new float[] {0, .3f, .1f}), new float[2]);
    HeadDropout dropout = new HeadDropout(any, rows, 3, 0.5, 42);
    for (int sample = 0; sample < 3; sample++) {
      FloatMatrix whole = dropout.probabilities(sample, 0, 3);
      assertArrayEquals(whole.row(2), dropout.probabilities(sample, 2, 3).row(0));
    }
  }

  @Test
  void dropoutMasksOfAdjacentItemsAreIndependent() {
    // One feature per class: the probabilities show which features were dropped.
    int features = 64;
    FloatMatrix identity = FloatMatrix.zeros(features, features);
    FloatMatrix ones = FloatMatrix.zeros(200, features);
    for (int d = 0; d < features; d++) {
      identity.set(d, d, 1);
      for (int i = 0; i < 200; i++) {
        ones.set(i, d, 1);
      }
    }
    HeadDropout dropout =
        new HeadDropout(new LinearHead(identity, new float[features]), ones, 1, 0.5, 3);
    FloatMatrix p = dropout.probabilities(0, 0, 200);
    int dropped = 0;
    int agree = 0;
    for (int i = 0; i + 1 < 200; i++) {
      for (int d = 0; d + 1 < features; d++) {
        boolean kept = p.get(i, d + 1) > 1f / features;
        dropped += kept ? 0 : 1;
        agree += kept == p.get(i + 1, d) > 1f / features ? 1 : 0;
      }
    }
    int all = 199 * 63;
    assertEquals(0.5, (double) dropped / all, 0.03);
    assertEquals(0.5, (double) agree / all, 0.03);
  }

  @Test
  void rejectsInvalidProbabilitiesAndDropoutSamples() {
    FloatMatrix two = FloatMatrix.zeros(2, 3);
    assertRejected(
        "probabilities: row 1 sums to 1.5, expected 1.",
        () ->
            Snapshot.of(two)
                .probabilities(FloatMatrix.of(new float[] {1, 0}, new float[] {1, 0.5f}))
                .build());
    assertRejected(
        "probabilities: row 0, column 1 is -0.5, expected a probability.",
        () ->
            Snapshot.of(two)
                .probabilities(FloatMatrix.of(new float[] {1.5f, -0.5f}, new float[] {1, 0}))
                .build());
    FloatMatrix sample = FloatMatrix.of(new float[] {1, 0, 0, 0});
    assertRejected(
        "items of the dropout samples: expected 2, found 1.",
        () -> Snapshot.of(two).head(head).dropoutSamples(DropoutSamples.of(sample)).build());
    assertRejected("At least one dropout sample is required.", () -> DropoutSamples.of());
    assertRejected("classes must be at least 1, got -3.", () -> Snapshot.of(two).classes(-3));
  }

  @Test
  void acceptsZerosButRejectsValuesWhoseSquaresUnderflow() {
    Snapshot.of(pool).build();
    pool.set(4, 1, 1e-24f);
    assertRejected(
        "unlabelled embeddings: all values are so small that their squares underflow to 0; scale"
            + " them up.",
        () -> Snapshot.of(pool).build());
  }

  @Test
  void reportsACustomHeadThatReturnsNan() {
    Head broken =
        new Head() {
          @Override
          public int features() {
            return 3;
          }

          @Override
          public int classes() {
            return 40;
          }

          @Override
          public FloatMatrix logits(FloatMatrix embeddings) {
            FloatMatrix result = FloatMatrix.zeros(embeddings.rows(), 40);
            result.set(0, 5, Float.NaN);
            return result;
          }

          @Override
          public FloatMatrix lossGradient(FloatMatrix embeddings, int[] labels) {
            return embeddings.copy();
          }
        };
    Snapshot snapshot = Snapshot.of(pool).head(broken).build();
    assertRejected(
        "logits of the head: row 0, column 5 is NaN, expected a finite number.",
        () -> snapshot.predict(0));
    assertEquals(
        4, Snapshot.of(pool).head(new OpaqueHead(head)).build().probabilities(0, 1).columns());
  }
}
