package org.alfamix.mix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.alfamix.golden.GoldenCase;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SearchedAlphaTest {
  private static final double CAP = 0.6;
  private static final int ROWS = 20;

  /** Random ratios give steps of length ε ‖a − z‖, and a search gives none that is longer. */
  @ParameterizedTest
  @CsvSource({"edge, 0", "edge, 5", "mnist, 0", "mnist, 5"})
  void boundsStepsByTheStepOfTheClosedForm(String name, int steps) {
    GoldenCase golden = GoldenCase.of(name);
    FloatMatrix items = golden.pool().slice(0, ROWS);
    int[] predicted = new int[ROWS];
    FloatMatrix logits = golden.head().logits(items);
    for (int i = 0; i < ROWS; i++) {
      predicted[i] = Kernels.argmax(logits.array(), logits.rowOffset(i), logits.columns());
    }
    FloatMatrix directions = golden.head().lossDirection(items, predicted);
    Kernels.normalizeRows(directions);
    FloatMatrix anchors =
        Anchors.classMeans(
            golden.snapshot().labelled(), golden.snapshot().labels(), golden.snapshot().classes());
    SearchedAlpha rule = new SearchedAlpha(5, AlphaBound.STEP, steps, 0.1, 0.01);
    for (int k = 0; k < anchors.rows(); k++) {
      List<double[]> moved = new ArrayList<>();
      rule.search(
          golden.head(),
          new AlphaRule.Block(items, 0, predicted, directions),
          k,
          anchors.row(k),
          0,
          CAP,
          (mixed, ratios) -> moved.add(distances(items, mixed)));
      assertEquals(1 + steps, moved.size());
      for (int i = 0; i < ROWS; i++) {
        double expected = CAP / Math.sqrt(items.columns()) * distance(items.row(i), anchors.row(k));
        assertEquals(expected, moved.get(0)[i], 2e-3 * expected, "row " + i + ", anchor " + k);
        for (double[] step : moved) {
          assertTrue(step[i] <= expected * 1.002, "row " + i + ", anchor " + k);
        }
      }
    }
  }

  private static double[] distances(FloatMatrix items, FloatMatrix mixed) {
    double[] result = new double[items.rows()];
    for (int i = 0; i < result.length; i++) {
      result[i] = distance(items.row(i), mixed.row(i));
    }
    return result;
  }

  private static double distance(float[] a, float[] b) {
    double squares = 0;
    for (int d = 0; d < a.length; d++) {
      squares += ((double) a[d] - b[d]) * ((double) a[d] - b[d]);
    }
    return Math.sqrt(squares);
  }
}
