package org.alfamix.strategy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.alfamix.golden.GoldenCase;
import org.alfamix.model.DropoutSamples;
import org.alfamix.model.HeadDropout;
import org.junit.jupiter.api.Test;

class BaldTest {
  private static DropoutSamples samples(GoldenCase golden, double rate) {
    return new HeadDropout(golden.head(), golden.pool(), 5, rate, 7);
  }

  @Test
  void singlePrecisionIsCloseToDoublePrecision() {
    GoldenCase golden = GoldenCase.of("mnist");
    int size = golden.pool().rows();
    double[] exact = Bald.mutualInformation(samples(golden, 0.5), size);
    double[] single = Bald.singlePrecisionScores(samples(golden, 0.5), size);
    int compared = 0;
    for (int i = 0; i < size; i++) {
      if (single[i] > Double.NEGATIVE_INFINITY) {
        assertEquals(exact[i], single[i], 1e-5, "row " + i);
        compared++;
      }
    }
    assertTrue(compared > size / 2, compared + " of " + size);
  }

  /** Five equal samples have no mutual information, so all scores are rounding errors. */
  @Test
  void ranksByRoundingErrorsWithoutDropout() {
    GoldenCase golden = GoldenCase.of("mnist");
    int size = golden.pool().rows();
    double[] scores = Bald.singlePrecisionScores(samples(golden, 0), size);
    double[] finite = Arrays.stream(scores).filter(Double::isFinite).toArray();
    assertTrue(Arrays.stream(finite).allMatch(score -> Math.abs(score) < 1e-6));
    long zeros = Arrays.stream(finite).filter(score -> score == 0).count();
    assertTrue(zeros > size / 10 && zeros < size * 9 / 10, zeros + " of " + size + " are zero");
    assertArrayEquals(scores, Bald.singlePrecisionScores(samples(golden, 0), size));
  }
}
