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
  /** Rows of a block: with their products they stay in the cache. */
  private static final int BLOCK = 128;

  /** Items of an exact test: what they cost differs, so blocks are small. */
  private static final int TESTED = 64;

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
    return ofLinear(head, anchors, pool, caps, enough, () -> {});
  }

  /**
   * The same, telling when the scan is over that bounds the flip caps of the whole pool and leaves
   * few items to be tested.
   */
  public static Candidates ofLinear(
      LinearHead head,
      FloatMatrix anchors,
      Rows pool,
      double[] caps,
      int enough,
      Runnable scanned) {
    LinearFlips test = new LinearFlips(head, anchors);
    float[] bounds = new float[pool.rows()];
    Parallel.forBlocks(
        pool.rows(), BLOCK, (from, to) -> test.lowerBounds(pool.slice(from, to), bounds, from));
    scanned.run();
    Flip[] flips = new Flip[pool.rows()];
    double below = 0;
    for (int c = 0; ; c++) {
      // Only what the bound lets through at this cap, and was not tested at the one before.
      double from = below;
      double to = caps[c];
      int[] untested = new int[bounds.length];
      int count = 0;
      for (int i = 0; i < bounds.length; i++) {
        if (bounds[i] >= from && bounds[i] < to) {
          untested[count++] = i;
        }
      }
      testExactly(test, pool, Arrays.copyOf(untested, count), flips);
      Candidates found = below(to, flips);
      if (found.size() > enough || c == caps.length - 1) {
        return found;
      }
      below = to;
    }
  }

  /** The items that flip below a cap. */
  private static Candidates below(double cap, Flip[] flips) {
    int[] items = new int[flips.length];
    Flip[] found = new Flip[flips.length];
    int count = 0;
    for (int i = 0; i < flips.length; i++) {
      if (flips[i] != null && flips[i].cap() < cap) {
        found[count] = flips[i];
        items[count++] = i;
      }
    }
    return new Candidates(cap, Arrays.copyOf(items, count), Arrays.copyOf(found, count));
  }

  private static void testExactly(LinearFlips test, Rows pool, int[] items, Flip[] flips) {
    Parallel.forBlocks(
        items.length,
        TESTED,
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
      Candidates found = below(Math.nextUp(cap), flips);
      if (found.size() > enough || c == caps.length - 1) {
        return new Candidates(cap, found.items, found.flips);
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
