package org.alfamix.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.junit.jupiter.api.Test;

class LogisticRegressionTest {
  private final SplittableRandom random = new SplittableRandom(3);
  private final int[] labels = random.ints(200, 0, 4).toArray();
  private final FloatMatrix items = FloatMatrix.zeros(200, 5);

  LogisticRegressionTest() {
    for (int i = 0; i < 200; i++) {
      for (int d = 0; d < 5; d++) {
        items.set(i, d, (float) (random.nextGaussian() + (d == labels[i] ? 2 : 0)));
      }
    }
  }

  @Test
  void convergesToAVanishingGradient() {
    LogisticRegression.Fit fit =
        LogisticRegression.fit(items, labels, 4, LogisticRegression.Options.DEFAULT);
    assertTrue(fit.converged());
    LinearHead head = fit.head();
    FloatMatrix p = head.logits(items);
    double[][] gradient = new double[4][6];
    for (int i = 0; i < 200; i++) {
      Kernels.softmax(p.array(), p.rowOffset(i), 4);
      for (int k = 0; k < 4; k++) {
        double residual = p.get(i, k) - (labels[i] == k ? 1 : 0);
        gradient[k][5] += residual;
        for (int d = 0; d < 5; d++) {
          gradient[k][d] += residual * items.get(i, d);
        }
      }
    }
    for (int k = 0; k < 4; k++) {
      assertEquals(0, gradient[k][5], 0.03);
      for (int d = 0; d < 5; d++) {
        assertEquals(0, gradient[k][d] + head.weights().get(k, d), 0.03, k + ", " + d);
      }
    }
  }

  @Test
  void isDeterministic() {
    LinearHead first =
        LogisticRegression.fit(items, labels, 4, LogisticRegression.Options.DEFAULT).head();
    LinearHead second =
        LogisticRegression.fit(items, labels, 4, LogisticRegression.Options.DEFAULT).head();
    assertArrayEquals(first.weights().array(), second.weights().array());
    assertArrayEquals(first.bias(), second.bias());
  }

  @Test
  void makesClassesWithoutLabelsLeastLikely() {
    LinearHead head =
        LogisticRegression.fit(items, labels, 6, LogisticRegression.Options.DEFAULT).head();
    FloatMatrix p = head.logits(items);
    for (int i = 0; i < 200; i++) {
      assertTrue(Kernels.argmax(p.array(), p.rowOffset(i), 6) < 4);
    }
  }

  @Test
  void fitsOneItemAndRejectsNone() {
    LogisticRegression.Fit one =
        LogisticRegression.fit(
            items.slice(0, 1), new int[] {2}, 4, LogisticRegression.Options.DEFAULT);
    assertEquals(2, Kernels.argmax(one.head().logits(items.slice(0, 1)).array(), 0, 4));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            LogisticRegression.fit(
                items.slice(0, 0), new int[0], 4, LogisticRegression.Options.DEFAULT));
  }

  @Test
  void isInvariantToAShiftOfTheItems() {
    LinearHead plain =
        LogisticRegression.fit(items, labels, 4, LogisticRegression.Options.DEFAULT).head();
    float[] shift = {-1000, -1000, -1000, -1000, -1000};
    FloatMatrix shifted = items.minus(shift);
    LogisticRegression.Fit fit =
        LogisticRegression.fit(shifted, labels, 4, LogisticRegression.Options.DEFAULT);
    assertTrue(fit.converged());
    for (int i = 0; i < plain.weights().array().length; i++) {
      assertEquals(plain.weights().array()[i], fit.head().weights().array()[i], 0.01);
    }
  }
}
