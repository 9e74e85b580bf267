package org.alfamix.strategy;

import java.util.Arrays;
import java.util.PriorityQueue;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.model.Snapshot;

/** Common code of strategies that rank items by a score of their class probabilities. */
final class ProbabilityScores {
  private static final int BLOCK = 512;

  /** Computes scores from rows of class probabilities. */
  @FunctionalInterface
  interface BlockScore {
    /** Writes one score per row, starting at {@code offset}. */
    void of(FloatMatrix probabilities, double[] out, int offset);
  }

  private ProbabilityScores() {}

  /** Describes why an item was picked, from its score and its two most likely classes. */
  @FunctionalInterface
  interface Reason {
    String of(double score, Ranked first, Ranked second);
  }

  /** A class with its probability in percent. */
  record Ranked(String name, double percent) {}

  /**
   * Selects the items with the largest or smallest scores.
   *
   * @param sign 1 to pick the largest scores, −1 to pick the smallest
   */
  static Selection select(
      Snapshot snapshot, int budget, BlockScore score, int sign, Reason reason) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    double[] scores = of(snapshot, score);
    recorder.phase("score");
    int[] items = largest(Arrays.stream(scores).map(value -> sign * value).toArray(), budget);
    for (int from = 0; from < items.length; from += BLOCK) {
      int[] block = Arrays.copyOfRange(items, from, Math.min(items.length, from + BLOCK));
      FloatMatrix p = snapshot.probabilitiesAt(block);
      for (int i = 0; i < block.length; i++) {
        int[] top = topTwo(p.array(), p.rowOffset(i), p.columns());
        double value = scores[block[i]];
        String why =
            reason.of(value, ranked(snapshot, p, i, top[0]), ranked(snapshot, p, i, top[1]));
        recorder.pick(new Pick(block[i], value, -1, top[0], why));
      }
    }
    return recorder.phase("rank").finish();
  }

  private static Ranked ranked(Snapshot snapshot, FloatMatrix p, int i, int k) {
    return new Ranked(snapshot.className(k), 100 * p.get(i, k));
  }

  /**
   * Returns one score per item of the pool. Probabilities are computed block by block and not kept.
   */
  private static double[] of(Snapshot snapshot, BlockScore score) {
    double[] result = new double[snapshot.size()];
    Parallel.forBlocks(
        result.length,
        BLOCK,
        (from, to) -> score.of(snapshot.probabilities(from, to), result, from));
    return result;
  }

  /** Returns the items with the largest scores, largest first; ties go to the lower row. */
  static int[] largest(double[] scores, int count) {
    // A heap of the best items with the worst of them on top avoids sorting the whole pool.
    var heap =
        new PriorityQueue<Integer>(
            Math.max(1, count), (i, j) -> comesBefore(scores, i, j) ? 1 : -1);
    for (int i = 0; i < scores.length; i++) {
      if (heap.size() < count) {
        heap.add(i);
      } else if (comesBefore(scores, i, heap.peek())) {
        heap.poll();
        heap.add(i);
      }
    }
    int[] result = new int[heap.size()];
    for (int at = result.length - 1; at >= 0; at--) {
      result[at] = heap.poll();
    }
    return result;
  }

  private static boolean comesBefore(double[] scores, int i, int j) {
    return scores[i] > scores[j] || (scores[i] == scores[j] && i < j);
  }

  /** Returns the two most likely classes of a row. */
  private static int[] topTwo(float[] p, int offset, int classes) {
    int first = 0;
    for (int k = 1; k < classes; k++) {
      if (p[offset + k] > p[offset + first]) {
        first = k;
      }
    }
    int second = first == 0 ? Math.min(1, classes - 1) : 0;
    for (int k = 0; k < classes; k++) {
      if (k != first && p[offset + k] > p[offset + second]) {
        second = k;
      }
    }
    return new int[] {first, second};
  }
}
