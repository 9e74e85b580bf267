package org.alfamix.mix;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;

/** The items that flip at a cap: the set ALFA-Mix chooses from. */
public final class Candidates {
  /** Rows of a block: with their products they stay in the cache. */
  private static final int BLOCK = 128;

  /** Items of an exact test: what they cost differs, so blocks are small. */
  private static final int TESTED = 64;

  /** So many values are looked at for statistics, some seconds. */
  private static final long MOST_MEASURED_VALUES = 1L << 31;

  private final double cap;
  private final int[] items;
  private final Flip[] flips;
  private final Details details;

  /** What is told of candidates beyond their flips; where it costs, only when it is asked for. */
  private interface Details {
    Mix[] mixes(int[] items, boolean divergences, int[][] perAnchor);

    double[] caps();

    Optional<FloatMatrix> anchorPoints();

    Optional<GradientStep> gradientStep();

    int anchors();

    /** How many items flipped at each cap, where the flips of the candidates do not tell it. */
    int[] flipped();
  }

  private Candidates(double cap, int[] items, Flip[] flips, Details details) {
    this.cap = cap;
    this.items = items;
    this.flips = flips;
    this.details = details;
  }

  /**
   * Candidates under a linear head, by flip caps.
   *
   * @param caps ascending; the first at which more than {@code enough} items flip is final, else
   *     the last
   */
  public static Candidates ofLinear(LinearFlips test, Rows pool, double[] caps, int enough) {
    return ofLinear(test, pool, caps, enough, () -> {});
  }

  /**
   * The same, telling when the scan is over that bounds the flip caps of the whole pool and leaves
   * few items to be tested.
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
      int flipped = count(flips, to);
      if (flipped > enough || c == caps.length - 1) {
        Details details = new LinearDetails(test, pool, Arrays.copyOf(caps, c + 1));
        return below(to, to, flips, flipped, details);
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

  /** The items that flip below a limit, {@code size} of them, as candidates at a cap. */
  private static Candidates below(
      double limit, double cap, Flip[] flips, int size, Details details) {
    int[] items = new int[size];
    Flip[] found = new Flip[size];
    int count = 0;
    for (int i = 0; i < flips.length; i++) {
      if (flips[i] != null && flips[i].cap() < limit) {
        found[count] = flips[i];
        items[count++] = i;
      }
    }
    return new Candidates(cap, items, found, details);
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

  /** The mixes of candidates under a linear head, worked out when they are asked for. */
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
          TESTED,
          (from, to) -> {
            FloatMatrix block = pool.gather(Arrays.copyOfRange(items, from, to));
            int[][] counts = new int[caps.length][anchors()];
            Mix[] found = test.mixes(block, caps, divergences, counts);
            System.arraycopy(found, 0, result, from, found.length);
            // Whole numbers: the order in which blocks are added does not matter.
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
   * Candidates by mixing at each cap in turn. Who has flipped once stays a candidate, though with
   * ratios found by chance or search it may not flip at the next cap.
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
            MixedFlips.Found found = test.search(pool.slice(from, to), from, round, cap);
            synchronized (sum) {
              add(found.perAnchor(), sum);
              changed[0] += count(found.flips(), Double.POSITIVE_INFINITY);
            }
            for (int i = from; i < to; i++) {
              Flip flip = found.flips()[i - from];
              flips[i] = flips[i] == null ? flip : flips[i];
              mixes[i] = Mix.better(mixes[i], found.mixes()[i - from]);
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
        return below(Double.POSITIVE_INFINITY, cap, flips, size, details);
      }
    }
  }

  /** The mixes of candidates that were found by making mixes. */
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

  /** What items were mixed with, one row per class; empty where they were only moved. */
  public Optional<FloatMatrix> anchors() {
    return details.anchorPoints();
  }

  /** The step along the gradient that items were moved by; empty where they were mixed. */
  public Optional<GradientStep> gradientStep() {
    return details.gradientStep();
  }

  /** The rows of the candidates in the pool, ascending. */
  public int[] items() {
    return items.clone();
  }

  /**
   * For each candidate the mix of the least ‖α‖ that flips it. Under a linear head they are worked
   * out by every call, which costs as much as anchors times features per candidate.
   *
   * @param divergences whether to tell the largest divergence of such mixes, too. Mixes that were
   *     made know it only if the test was told so, see {@link MixedFlips#withDivergences}
   */
  public Mix[] mixes(boolean divergences) {
    return details.mixes(items, divergences, new int[details.caps().length][details.anchors()]);
  }

  /**
   * How many items flipped per anchor and cap, and how large the ratios α were. Under a linear head
   * this is worked out by every call, from an even sample of the candidates where they are many.
   */
  public MixStatistics statistics() {
    double[] caps = details.caps();
    int[][] perAnchor = new int[caps.length][details.anchors()];
    Mix[] mixes = details.mixes(measured(), false, perAnchor);
    int[] flipped = details.flipped();
    List<MixStatistics.AtCap> rows = new ArrayList<>();
    for (int c = 0; c < caps.length; c++) {
      int count = flipped == null ? count(flips, caps[c]) : flipped[c];
      rows.add(new MixStatistics.AtCap(caps[c], count, perAnchor[c]));
    }
    return MixStatistics.of(rows, mixes);
  }

  private int[] measured() {
    if (!(details instanceof LinearDetails linear)) {
      return items;
    }
    // Per anchor the features, and a few operations for each class that may be reached.
    long perAnchor = linear.pool().columns() + 6L * linear.test().classes();
    long perCandidate = linear.anchors() * perAnchor;
    int most = (int) Math.min(items.length, Math.max(1, MOST_MEASURED_VALUES / perCandidate));
    return most == items.length
        ? items
        : IntStream.range(0, most)
            .map(at -> items[(int) ((long) at * items.length / most)])
            .toArray();
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
