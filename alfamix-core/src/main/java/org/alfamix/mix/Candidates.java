package org.alfamix.mix;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;
import org.alfamix.model.Head;
import org.alfamix.model.LinearHead;

/** The items that flip at a cap: the set ALFA-Mix chooses from. */
public final class Candidates {
  private static final int BLOCK = 512;

  private final double cap;
  private final int[] items;
  private final Flip[] flips;

  private Candidates(double cap, int[] items, Flip[] flips) {
    this.cap = cap;
    this.items = items;
    this.flips = flips;
  }

  /**
   * Candidates under a linear head, by flip caps.
   *
   * @param caps ascending; the first at which more than {@code enough} items flip is final, else
   *     the last
   */
  public static Candidates ofLinear(
      LinearHead head, FloatMatrix anchors, Rows pool, double[] caps, int enough) {
    LinearFlips test = new LinearFlips(head, anchors);
    float[] bounds = new float[pool.rows()];
    Parallel.forBlocks(
        pool.rows(), BLOCK, (from, to) -> test.lowerBounds(pool.slice(from, to), bounds, from));
    Flip[] flips = new Flip[pool.rows()];
    double below = 0;
    for (int c = 0; ; c++) {
      // Only what the bound lets through at this cap, and was not tested at the one before.
      double from = below;
      double to = caps[c];
      int[] untested =
          IntStream.range(0, bounds.length)
              .filter(i -> bounds[i] >= from && bounds[i] < to)
              .toArray();
      testExactly(test, pool, untested, flips);
      int[] items =
          IntStream.range(0, flips.length)
              .filter(i -> flips[i] != null && flips[i].cap() < to)
              .toArray();
      if (items.length > enough || c == caps.length - 1) {
        return new Candidates(
            to, items, Arrays.stream(items).mapToObj(i -> flips[i]).toArray(Flip[]::new));
      }
      below = to;
    }
  }

  private static void testExactly(LinearFlips test, Rows pool, int[] items, Flip[] flips) {
    Parallel.forBlocks(
        items.length,
        BLOCK / 8,
        (from, to) -> {
          Flip[] found = test.flips(pool.gather(Arrays.copyOfRange(items, from, to)));
          for (int at = from; at < to; at++) {
            flips[items[at]] = found[at - from];
          }
        });
  }

  /** Candidates under any head, by mixing at each cap in turn. */
  public static Candidates ofGeneral(
      Head head, FloatMatrix anchors, Rows pool, double[] caps, int enough) {
    GeneralFlips test = new GeneralFlips(head, anchors);
    Flip[] flips = new Flip[pool.rows()];
    for (int c = 0; ; c++) {
      double cap = caps[c];
      Parallel.forBlocks(
          pool.rows(),
          BLOCK,
          (from, to) -> {
            Flip[] found = test.flips(pool.slice(from, to), cap);
            System.arraycopy(found, 0, flips, from, found.length);
          });
      int[] items = IntStream.range(0, flips.length).filter(i -> flips[i] != null).toArray();
      if (items.length > enough || c == caps.length - 1) {
        return new Candidates(
            cap, items, Arrays.stream(items).mapToObj(i -> flips[i]).toArray(Flip[]::new));
      }
    }
  }

  /** The cap at which they flip. */
  public double cap() {
    return cap;
  }

  public int size() {
    return items.length;
  }

  /** The row of the c-th candidate in the pool; rows ascend. */
  public int item(int c) {
    return items[c];
  }

  public Flip flip(int c) {
    return flips[c];
  }

  /** The rows of the candidates in the pool, ascending. */
  public int[] items() {
    return items.clone();
  }

  /** The rows of a pool of this size that are no candidates, ascending. */
  public int[] complement(int size) {
    boolean[] isCandidate = new boolean[size];
    for (int item : items) {
      isCandidate[item] = true;
    }
    return IntStream.range(0, size).filter(i -> !isCandidate[i]).toArray();
  }
}
