package org.alfamix.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;
import org.junit.jupiter.api.Test;

class RectifiedHeadTest {
  private static final int CLASSES = 4;
  private static final int FEATURES = 6;

  private static FloatMatrix random(int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FloatMatrix matrix = FloatMatrix.zeros(rows, columns);
    for (int i = 0; i < rows; i++) {
      for (int d = 0; d < columns; d++) {
        matrix.set(i, d, (float) random.nextGaussian());
      }
    }
    return matrix;
  }

  private static RectifiedHead head() {
    return new RectifiedHead(
        new LinearHead(random(CLASSES, FEATURES, 1), new float[] {0.1f, -0.2f, 0.3f, 0}));
  }

  private static double loss(RectifiedHead head, FloatMatrix z, int row, int label) {
    FloatMatrix logits = head.logits(z);
    double sum = 0;
    for (int k = 0; k < CLASSES; k++) {
      sum += Math.exp(logits.get(row, k));
    }
    return Math.log(sum) - logits.get(row, label);
  }

  @Test
  void clipsNegativeLogitsToZero() {
    FloatMatrix z = random(50, FEATURES, 2);
    FloatMatrix linear = head().linear().logits(z);
    FloatMatrix logits = head().logits(z);
    int below = 0;
    for (int i = 0; i < z.rows(); i++) {
      for (int k = 0; k < CLASSES; k++) {
        below += linear.get(i, k) < 0 ? 1 : 0;
        assertEquals(Math.max(0, linear.get(i, k)), logits.get(i, k));
      }
    }
    assertTrue(below > 20, "too few negative logits for a meaningful test");
  }

  /** Central differences, skipped if a logit changes its sign in between. */
  @Test
  void computesTheGradientOfTheLoss() {
    FloatMatrix z = random(50, FEATURES, 2);
    int[] labels = new int[z.rows()];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = i % CLASSES;
    }
    FloatMatrix gradient = head().lossGradient(z, labels);
    float step = 1e-2f;
    int compared = 0;
    for (int i = 0; i < z.rows(); i++) {
      for (int d = 0; d < FEATURES; d++) {
        FloatMatrix ahead = z.copy();
        FloatMatrix behind = z.copy();
        ahead.set(i, d, z.get(i, d) + step);
        behind.set(i, d, z.get(i, d) - step);
        if (crosses(ahead, behind, i)) {
          continue;
        }
        double slope =
            (loss(head(), ahead, i, labels[i]) - loss(head(), behind, i, labels[i])) / (2 * step);
        assertEquals(slope, gradient.get(i, d), 2e-3, i + ", " + d);
        compared++;
      }
    }
    assertTrue(compared > 250, compared + " compared");
  }

  private static boolean crosses(FloatMatrix ahead, FloatMatrix behind, int row) {
    FloatMatrix first = head().linear().logits(ahead);
    FloatMatrix second = head().linear().logits(behind);
    for (int k = 0; k < CLASSES; k++) {
      if (first.get(row, k) > 0 != second.get(row, k) > 0) {
        return true;
      }
    }
    return false;
  }

  @Test
  void supportsAlfaMix() {
    FloatMatrix labelled = random(8, FEATURES, 3);
    Snapshot snapshot =
        Snapshot.of(random(200, FEATURES, 4))
            .labelled(labelled, new int[] {0, 1, 2, 3, 0, 1, 2, 3})
            .head(head())
            .build();
    Selection selection =
        Strategies.create("alfamix", Map.of()).select(snapshot, 10, new SplittableRandom(1));
    assertEquals(10, selection.items().length);
    assertTrue(selection.candidates() > 10, selection.candidates() + " candidates");
  }
}
