package org.alfamix.model;

import java.util.concurrent.atomic.AtomicInteger;
import org.alfamix.error.InvalidDataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;

/** Checks the values of a snapshot block by block and reports the first invalid row. */
final class FiniteValues {
  private static final int BLOCK = 4096;

  /** Below this value, squares of floats lose precision. */
  private static final float MIN_SQUARE = 1e-30f;

  private FiniteValues() {}

  /**
   * Requires that every value is finite, that no squared norm of a row exceeds the range of float,
   * and that not all squares underflow to 0. One sum per row suffices for this check. As heads are
   * checked in the same way, no distance or logit overflows.
   */
  static void requireUsable(Rows rows, String name) {
    AtomicInteger firstBad = new AtomicInteger(Integer.MAX_VALUE);
    float[] largest = new float[(rows.rows() + BLOCK - 1) / BLOCK];
    Parallel.forBlocks(
        rows.rows(),
        BLOCK,
        (from, to) -> {
          FloatMatrix block = rows.slice(from, to);
          for (int i = 0; i < block.rows(); i++) {
            float norm = Kernels.squaredNorm(block, i);
            if (!Float.isFinite(norm)) {
              firstBad.accumulateAndGet(from + i, Math::min);
              return;
            }
            largest[from / BLOCK] = Math.max(largest[from / BLOCK], norm);
          }
        });
    int bad = firstBad.get();
    if (bad < Integer.MAX_VALUE) {
      requireFiniteRow(rows, bad, name);
      throw new InvalidDataException(
          "%s: the squared norm of %s exceeds the range of float; scale the values down."
              .formatted(name, rows.describe(bad)));
    }
    float max = 0;
    for (float norm : largest) {
      max = Math.max(max, norm);
    }
    if (max < MIN_SQUARE) {
      requireZeros(rows, name);
    }
  }

  private static void requireZeros(Rows rows, String name) {
    for (int i = 0; i < rows.rows(); i++) {
      for (float value : rows.slice(i, i + 1).row(0)) {
        if (value != 0) {
          throw new InvalidDataException(
              name + ": all values are so small that their squares underflow to 0; scale them up.");
        }
      }
    }
  }

  private static void requireFiniteRow(Rows rows, int row, String name) {
    float[] values = rows.slice(row, row + 1).row(0);
    for (int d = 0; d < values.length; d++) {
      if (!Float.isFinite(values[d])) {
        throw new InvalidDataException(
            "%s: %s, column %d is %s, expected a finite number."
                .formatted(name, rows.describe(row), d, Float.toString(values[d])));
      }
    }
  }

  /** Requires that every row is a probability distribution. */
  static void requireProbabilities(Rows rows, String name) {
    AtomicInteger firstBad = new AtomicInteger(Integer.MAX_VALUE);
    Parallel.forBlocks(
        rows.rows(),
        BLOCK,
        (from, to) -> {
          FloatMatrix block = rows.slice(from, to);
          for (int i = 0; i < block.rows(); i++) {
            if (!isDistribution(block, i)) {
              firstBad.accumulateAndGet(from + i, Math::min);
              return;
            }
          }
        });
    int bad = firstBad.get();
    if (bad == Integer.MAX_VALUE) {
      return;
    }
    requireFiniteRow(rows, bad, name);
    float[] values = rows.slice(bad, bad + 1).row(0);
    double sum = 0;
    for (int k = 0; k < values.length; k++) {
      if (values[k] < 0) {
        throw new InvalidDataException(
            "%s: %s, column %d is %s, expected a probability."
                .formatted(name, rows.describe(bad), k, Float.toString(values[k])));
      }
      sum += values[k];
    }
    throw new InvalidDataException(
        "%s: %s sums to %s, expected 1."
            .formatted(name, rows.describe(bad), Float.toString((float) sum)));
  }

  private static boolean isDistribution(FloatMatrix rows, int i) {
    double sum = 0;
    int row = rows.rowOffset(i);
    for (int k = row; k < row + rows.columns(); k++) {
      float p = rows.array()[k];
      // Negated so that NaN is also rejected.
      if (!(p >= 0)) {
        return false;
      }
      sum += p;
    }
    return Math.abs(sum - 1) <= 0.01;
  }
}
