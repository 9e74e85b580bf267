package org.alfamix.mix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;

/** The items whose prediction flips at a cap, from which ALFA-Mix picks. */
public final class Candidates {
  /** Rows per block; with their products they fit in the cache. */
  private static final int BLOCK = 128;

  /** Items per block of the exact test. Blocks are small because the cost per item varies. */
  private static final int TEST_BLOCK = 64;

  /** Maximum number of values that are read for statistics, which takes a few seconds. */
  private static final long MAX_MEASURED_VALUES = 1L << 31;

  private final double cap;
  private final int[] items;
  private final Flip[] flips;
  private final Details details;

  /** Details of candidates beyond their flips; expensive ones are computed on request. */
  private interface Details {
    Mix[] mixes(int[] items, boolean divergences, int[][] perAnchor);

    double[] caps();

    Optional<FloatMatrix> anchorPoints();

    Optional<GradientStep> gradientStep();

    int anchors();

    /** Returns the number of flipped items at each cap; null if it follows from the flips. */
    int[] flipped();
  }

  private Candidates(double cap, int[] items, Flip[] flips, Details details) {
    this.cap = cap;
    this.items = items;
    this.flips = flips;
    this.details = details;
  }

  /**
   * Finds the candidates under a linear head by their flip caps.
   *
   * @param caps caps to try, ascending; the search stops at the first cap at which more than {@code
   *     enough} items flip, or at the last one
   */
  public static Candidates ofLinear(LinearFlips test, Rows pool, double[] caps, int enough) {
    return ofLinear(test, pool, caps, enough, () -> {});
  }

  /**
   * Finds the candidates under a linear head, with a callback after the first scan.
   *
   * @param scanned runs when the flip caps of the whole pool are bounded, which leaves few items to
   *     be tested exactly
   */
  public static Candidates ofLinear(
      LinearFlips test, Rows pool, double[] caps, int enough, Runnable scanned) {
    float[] bounds = new float[pool.rows()];
    Parallel.forBlocks(
        pool.rows(), BLOCK, (from, to) -> test.lowerBounds(pool.slice(from, to), bounds, from));
    scanned.run();
    Flip[] flips = new Flip[pool.rows()];
    double below = 0;
    for (int c = 0; ; c++) {
      // Only items that may flip at this cap according to the bound and were not tested at the
      // previous cap.
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
      int flipped = count(flips, to);
      if (flipped > enough || c == caps.length - 1) {
        Details details = new LinearDetails(test, pool, Arrays.copyOf(caps, c + 1));
        return select(to, to, flips, flipped, details);
      }
      below = to;
    }
  }

  private static void add(int[] counts, int[] sum) {
    for (int k = 0; k < sum.length; k++) {
      sum[k] += counts[k];
    }
  }

  private static int count(Flip[] flips, double cap) {
    int count = 0;
    for (Flip flip : flips) {
      count += flip != null && flip.cap() < cap ? 1 : 0;
    }
    return count;
  }

  /** Returns the {@code size} items that flip below a limit, as candidates at a cap. */
  private static Candidates select(
      double limit, double cap, Flip[] flips, int size, Details details) {
    int[] items = new int[size];
    Flip[] selected = new Flip[size];
    int count = 0;
    for (int i = 0; i < flips.length; i++) {
      if (flips[i] != null && flips[i].cap() < limit) {
        selected[count] = flips[i];
        items[count++] = i;
      }
    }
    return new Candidates(cap, items, selected, details);
  }

  private static void testExactly(LinearFlips test, Rows pool, int[] items, Flip[] flips) {
    Parallel.forBlocks(
        items.length,
        TEST_BLOCK,
        (from, to) -> {
          Flip[] found = test.flips(pool.gather(Arrays.copyOfRange(items, from, to)));
          for (int at = from; at < to; at++) {
            flips[items[at]] = found[at - from];
          }
        });
  }

  /** Details of candidates under a linear head, computed on request. */
  private record LinearDetails(LinearFlips test, Rows pool, double[] caps) implements Details {
    @Override
    public int anchors() {
      return test.anchors();
    }

    @Override
    public Optional<FloatMatrix> anchorPoints() {
      return test.anchorPoints();
    }

    @Override
    public Optional<GradientStep> gradientStep() {
      return test.gradientStep();
    }

    @Override
    public int[] flipped() {
      return null;
    }

    @Override
    public Mix[] mixes(int[] items, boolean divergences, int[][] perAnchor) {
      Mix[] result = new Mix[items.length];
      Parallel.forBlocks(
          items.length,
          TEST_BLOCK,
          (from, to) -> {
            FloatMatrix block = pool.gather(Arrays.copyOfRange(items, from, to));
            int[][] counts = new int[caps.length][anchors()];
            Mix[] found = test.mixes(block, caps, divergences, counts);
            System.arraycopy(found, 0, result, from, found.length);
            // Integer sums do not depend on the order of the blocks.
            synchronized (perAnchor) {
              for (int c = 0; c < caps.length; c++) {
                add(counts[c], perAnchor[c]);
              }
            }
          });
      return result;
    }
  }

  /**
   * Finds the candidates by mixing at each cap in turn. An item that has flipped once remains a
   * candidate, although with random or searched ratios it may not flip at the next cap.
   */
  public static Candidates ofMixed(MixedFlips test, Rows pool, double[] caps, int enough) {
    Flip[] flips = new Flip[pool.rows()];
    Mix[] mixes = new Mix[pool.rows()];
    List<int[]> perAnchor = new ArrayList<>();
    List<Integer> flipped = new ArrayList<>();
    for (int c = 0; ; c++) {
      int round = c;
      double cap = caps[c];
      int[] sum = new int[test.anchors()];
      int[] changed = new int[1];
      Parallel.forBlocks(
          pool.rows(),
          BLOCK,
          (from, to) -> {
            MixedFlips.Outcome outcome = test.search(pool.slice(from, to), from, round, cap);
            synchronized (sum) {
              add(outcome.perAnchor(), sum);
              changed[0] += count(outcome.flips(), Double.POSITIVE_INFINITY);
            }
            for (int i = from; i < to; i++) {
              Flip flip = outcome.flips()[i - from];
              flips[i] = flips[i] == null ? flip : flips[i];
              mixes[i] = Mix.merge(mixes[i], outcome.mixes()[i - from]);
            }
          });
      perAnchor.add(sum);
      flipped.add(changed[0]);
      int size = count(flips, Double.POSITIVE_INFINITY);
      if (size > enough || c == caps.length - 1) {
        Details details =
            new MixedDetails(
                mixes,
                Arrays.copyOf(caps, c + 1),
                perAnchor.toArray(new int[0][]),
                flipped.stream().mapToInt(Integer::intValue).toArray(),
                test.anchors(),
                test.anchorPoints(),
                test.gradientStep());
        return select(Double.POSITIVE_INFINITY, cap, flips, size, details);
      }
    }
  }

  /** Details of candidates that were found by mixing. */
  private record MixedDetails(
      Mix[] known,
      double[] caps,
      int[][] counts,
      int[] flipped,
      int anchors,
      Optional<FloatMatrix> anchorPoints,
      Optional<GradientStep> gradientStep)
      implements Details {
    @Override
    public Mix[] mixes(int[] items, boolean divergences, int[][] perAnchor) {
      for (int c = 0; c < caps.length; c++) {
        System.arraycopy(counts[c], 0, perAnchor[c], 0, anchors);
      }
      return Arrays.stream(items).mapToObj(item -> known[item]).toArray(Mix[]::new);
    }
  }

  /** Returns the final cap. */
  public double cap() {
    return cap;
  }

  public int size() {
    return items.length;
  }

  /** Returns the row of the c-th candidate in the pool; rows ascend. */
  public int item(int c) {
    return items[c];
  }

  public Flip flip(int c) {
    return flips[c];
  }

  /** Returns the anchors, one row per class; empty if items moved along the gradient. */
  public Optional<FloatMatrix> anchors() {
    return details.anchorPoints();
  }

  /** Returns the step along the gradient; empty if items were mixed with anchors. */
  public Optional<GradientStep> gradientStep() {
    return details.gradientStep();
  }

  /** Returns the rows of the candidates in the pool, ascending. */
  public int[] items() {
    return items.clone();
  }

  /**
   * Returns, for each candidate, the mix with the smallest ‖α‖ that flips it. Under a linear head,
   * every call computes them again, at a cost of anchors × features per candidate.
   *
   * @param divergences whether to include the largest divergence of such mixes. Candidates found by
   *     mixing have divergences only if the test was created with {@link
   *     MixedFlips#withDivergences}
   */
  public Mix[] mixes(boolean divergences) {
    return details.mixes(items, divergences, new int[details.caps().length][details.anchors()]);
  }

  /**
   * Returns the number of flips per anchor and cap, and the size of the ratios α. Under a linear
   * head, every call computes them again, from an evenly spaced sample if there are many
   * candidates.
   */
  public MixStatistics statistics() {
    double[] caps = details.caps();
    int[][] perAnchor = new int[caps.length][details.anchors()];
    Mix[] mixes = details.mixes(measuredItems(), false, perAnchor);
    int[] flipped = details.flipped();
    List<MixStatistics.AtCap> rows = new ArrayList<>();
    for (int c = 0; c < caps.length; c++) {
      int count = flipped == null ? count(flips, caps[c]) : flipped[c];
      rows.add(new MixStatistics.AtCap(caps[c], count, perAnchor[c]));
    }
    return MixStatistics.of(rows, mixes);
  }

  private int[] measuredItems() {
    if (!(details instanceof LinearDetails linear)) {
      return items;
    }
    // Per anchor: the features, and a few operations for each class that may be reached.
    long perAnchor = linear.pool().columns() + 6L * linear.test().classes();
    long perCandidate = linear.anchors() * perAnchor;
    int count = (int) Math.min(items.length, Math.max(1, MAX_MEASURED_VALUES / perCandidate));
    return count == items.length
        ? items
        : IntStream.range(0, count)
            .map(at -> items[(int) ((long) at * items.length / count)])
            .toArray();
  }

  /** Returns the rows of a pool of the given size that are not candidates, ascending. */
  public int[] complement(int size) {
    boolean[] isCandidate = new boolean[size];
    for (int item : items) {
      isCandidate[item] = true;
    }
    return IntStream.range(0, size).filter(i -> !isCandidate[i]).toArray();
  }
}
