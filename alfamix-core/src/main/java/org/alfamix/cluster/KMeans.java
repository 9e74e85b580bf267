package org.alfamix.cluster;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.alfamix.error.InvalidDataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.math.RandomIndices;

/**
 * k-means with greedy k-means++ seeding; the best of several restarts by inertia.
 *
 * <p>Two ways to the same result, chosen by their cost. Seeding needs the distances from restarts ×
 * trials × k points to all others. Where those exceed all pairs by far, the matrix of all inner
 * products is computed once and seeding only looks up; so do Lloyd's steps where clusters are small
 * ({@link GramLloyd}). Otherwise the restarts advance in step, so that each pass over the points
 * serves all of them; where the points are many, the candidates for a centre are compared on a
 * sample of them; and the centres are vectors ({@link DenseLloyd}, or {@link StreamingLloyd} where
 * a table would be too large).
 *
 * <p>Of more than 4,096 points, or eight per cluster, the restarts see a sample of that many; the
 * best is then carried on with all points. Time thus grows with the points, not with restarts ×
 * points.
 *
 * <p>Where even one assignment of all points takes long (100,000 points of 768 features to 10,000
 * centres are 770 billion multiplications), there is one start with centres drawn in batches
 * ({@link BatchSeeding}) and few moves ({@link NeighbourLloyd}). {@link Clustering#method} tells
 * which way was taken.
 */
public final class KMeans {

  /** Largest number of points for which all pairs are kept: 8,192² floats are 256 MB. */
  private static final int MOST_POINTS_IN_PAIRS = 8192;

  /** Largest table of products of centres and points per restart: 256 MB, too. */
  private static final long MOST_PRODUCTS = 1L << 26;

  /** Fewest points of the sample on which candidates for a centre are compared. */
  private static final int LEAST_SAMPLE = 1024;

  /** Fewest points that all restarts run on; or eight per cluster. */
  private static final int LEAST_RESTARTED = 4096;

  /**
   * Most multiplications of one assignment of all points, beyond which the restarts would take
   * minutes: 2^36 are about a second on two cores, and ten restarts take some two hundred of those.
   */
  private static final long MOST_IN_FULL = 1L << 36;

  /** Moves of the centres, and the gain below which they end, where one start must do. */
  private static final int FEW_ITERATIONS = 20;

  private static final double FEW_TOLERANCE = 3e-4;

  /**
   * What to do.
   *
   * @param clusters number of clusters, at least 1
   * @param restarts how often to start anew; the result with the least inertia counts
   * @param maxIterations most moves of the centres per start
   * @param tolerance stop when a move lowers the inertia by no more than this share
   */
  public record Options(int clusters, int restarts, int maxIterations, double tolerance) {
    public Options {
      requireAtLeastOne(clusters, "clusters");
      requireAtLeastOne(restarts, "restarts");
      requireAtLeastOne(maxIterations, "maxIterations");
      if (!(tolerance >= 0)) {
        throw new IllegalArgumentException("tolerance must be at least 0, got " + tolerance + ".");
      }
    }

    /** Ten restarts, at most 300 moves, tolerance 1e-4. */
    public static Options of(int clusters) {
      return new Options(clusters, 10, 300, 1e-4);
    }

    private static void requireAtLeastOne(int value, String name) {
      if (value < 1) {
        throw new IllegalArgumentException(name + " must be at least 1, got " + value + ".");
      }
    }
  }

  private KMeans() {}

  /** Clusters the rows of a matrix, which is left untouched. */
  public static Clustering cluster(FloatMatrix rows, Options options, RandomGenerator random) {
    // A shift changes no distance, but small coordinates lose fewer digits.
    return cluster(new DensePoints(rows.minus(rows.columnMeans())), options, random);
  }

  /**
   * Clusters the rows the way that {@link #cluster} takes where they are very many, whatever their
   * number: to see what it costs in quality.
   */
  public static Clustering clusterApproximately(
      FloatMatrix rows, Options options, RandomGenerator random) {
    DensePoints points = new DensePoints(rows.minus(rows.columnMeans()));
    check(points, options);
    return Parallel.inPool(() -> approximate(points, options, random));
  }

  /** Clusters points of any kind. */
  public static Clustering cluster(Points points, Options options, RandomGenerator random) {
    check(points, options);
    long products = (long) points.size() * options.clusters() * points.dimension();
    return Parallel.inPool(
        () ->
            products > MOST_IN_FULL
                ? approximate(dense(points), options, random)
                : inFull(points, options, random));
  }

  private static void check(Points points, Options options) {
    if (points.size() < options.clusters()) {
      throw new IllegalArgumentException(
          "Cannot make %d clusters of %d points.".formatted(options.clusters(), points.size()));
    }
    for (int i = 0; i < points.size(); i++) {
      if (!Float.isFinite(points.squaredNorm(i))) {
        throw new InvalidDataException(
            "Point " + i + " cannot be clustered: its square is not a finite float.");
      }
    }
  }

  /** All restarts, until the centres rest. */
  static Clustering inFull(Points points, Options options, RandomGenerator random) {
    int enough = Math.max(LEAST_RESTARTED, 8 * options.clusters());
    return points.size() <= enough
        ? bestOfRestarts(points, options, random)
        : restartOnSample(dense(points), enough, options, random);
  }

  /** One start from centres drawn in batches, and few moves among neighbouring clusters. */
  static Clustering approximate(DensePoints points, Options options, RandomGenerator random) {
    int k = options.clusters();
    int iterations = Math.min(FEW_ITERATIONS, options.maxIterations());
    boolean neighbours = k >= 4 * NeighbourLloyd.NEIGHBOURS;
    String method =
        "approximate, for the size: 1 start instead of %d, centres drawn in batches (k-means||), at most %d iterations%s"
            .formatted(
                options.restarts(),
                iterations,
                neighbours ? " among the " + NeighbourLloyd.NEIGHBOURS + " nearest clusters" : "");
    Assignment start = BatchSeeding.seed(points, k, random);
    Lloyd lloyd = neighbours ? new NeighbourLloyd(points, k, start) : lloyd(points, k, start);
    return lloyd.run(iterations, Math.max(FEW_TOLERANCE, options.tolerance()), method);
  }

  private static String inWords(Options options, String suffix) {
    return "%d restarts of greedy k-means++%s, at most %d iterations"
        .formatted(options.restarts(), suffix, options.maxIterations());
  }

  /** The best of the restarts on a sample of this size is carried on with all points. */
  private static Clustering restartOnSample(
      DensePoints points, int size, Options options, RandomGenerator random) {
    int k = options.clusters();
    int[] indices = RandomIndices.distinct(points.size(), size, random);
    FloatMatrix sample = points.gather(indices);
    Clustering best = bestOfRestarts(new DensePoints(sample), options, random);
    Lloyd lloyd = lloyd(points, k, nearest(points, centres(sample, best.assignment(), k)));
    String method = inWords(options, " on a sample of " + size + ", the best carried on with all");
    return lloyd.run(options.maxIterations(), options.tolerance(), method);
  }

  /** The mean of the rows of each of {@code k} clusters. */
  public static FloatMatrix centres(FloatMatrix rows, int[] assignment, int k) {
    FloatMatrix centres = FloatMatrix.zeros(k, rows.columns());
    int[] sizes = new int[k];
    for (int j : assignment) {
      sizes[j]++;
    }
    for (int i = 0; i < assignment.length; i++) {
      Kernels.axpy(
          1f / sizes[assignment[i]],
          rows.array(),
          rows.rowOffset(i),
          centres.array(),
          centres.rowOffset(assignment[i]),
          rows.columns());
    }
    return centres;
  }

  /** For every row the nearest of some centres, wherever those come from. */
  public static int[] nearest(FloatMatrix rows, FloatMatrix centres) {
    float[] mean = centres.columnMeans();
    return nearest(new DensePoints(rows.minus(mean)), centres.minus(mean)).clusters();
  }

  private static Assignment nearest(DensePoints points, FloatMatrix centres) {
    int[] clusters = new int[points.size()];
    float[] least = new float[points.size()];
    Arrays.fill(least, Float.POSITIVE_INFINITY);
    points.assignNearest(centres, 0, least, clusters);
    return new Assignment(clusters, least);
  }

  private static Lloyd lloyd(DensePoints points, int k, Assignment start) {
    return (long) points.size() * k <= MOST_PRODUCTS
        ? new DenseLloyd(points, k, start)
        : new StreamingLloyd(points, k, start);
  }

  static Clustering bestOfRestarts(Points points, Options options, RandomGenerator random) {
    int n = points.size();
    int k = options.clusters();
    boolean allPairs = allPairsPay(n, options);
    int[] sample = allPairs ? null : sample(n, k, random);
    // Each restart draws from a generator of its own: the order of the threads is of no account.
    GreedySeeding[] seedings = new GreedySeeding[options.restarts()];
    for (int r = 0; r < seedings.length; r++) {
      seedings[r] = new GreedySeeding(points, k, new SplittableRandom(random.nextLong()), sample);
    }
    Clustering[] results = new Clustering[seedings.length];
    if (allPairs) {
      GramMatrix gram = GramMatrix.of(points);
      Parallel.forBlocks(
          seedings.length,
          1,
          (from, to) -> {
            seed(seedings[from], gram, k);
            Lloyd lloyd =
                sumsOfPairsPay(points, k)
                    ? new GramLloyd(points, gram, k, seedings[from].assignment())
                    : lloyd(dense(points), k, seedings[from].assignment());
            results[from] =
                lloyd.run(options.maxIterations(), options.tolerance(), inWords(options, ""));
          });
    } else {
      DensePoints dense = dense(points);
      DensePoints compared = sample == null ? dense : new DensePoints(dense.gather(sample));
      seedInStep(seedings, dense, compared, k);
      Parallel.forBlocks(
          seedings.length,
          1,
          (from, to) -> {
            Lloyd lloyd = lloyd(dense, k, seedings[from].assignment());
            results[from] =
                lloyd.run(options.maxIterations(), options.tolerance(), inWords(options, ""));
          });
    }
    Clustering best = results[0];
    for (Clustering result : results) {
      if (result.inertia() < best.inertia()) {
        best = result;
      }
    }
    return best;
  }

  /** All pairs cost n²/2 products, seeding costs n per trial: ask for a clear advantage. */
  private static boolean allPairsPay(int n, Options options) {
    long trials =
        (long) options.restarts() * options.clusters() * GreedySeeding.trials(options.clusters());
    return n <= MOST_POINTS_IN_PAIRS && n <= trials;
  }

  /**
   * A centre's row of products is n sums over its members' rows of the Gram matrix, which wait for
   * memory, or n products with a vector, which do not: measured, a dozen of these weigh one of
   * those.
   */
  private static boolean sumsOfPairsPay(Points points, int k) {
    return !(points instanceof DensePoints) || points.size() / k <= points.dimension() / 12;
  }

  private static void seed(GreedySeeding seeding, GramMatrix gram, int k) {
    int trials = GreedySeeding.trials(k);
    int n = gram.size();
    for (int c = 0; c < k; c++) {
      int best = -1;
      double least = Double.POSITIVE_INFINITY;
      for (int candidate : seeding.draw(trials)) {
        double potential = seeding.potential(candidate, gram.array(), candidate * n);
        if (potential < least) {
          least = potential;
          best = candidate;
        }
      }
      seeding.accept(best, gram.array(), best * n);
    }
  }

  /**
   * Seeds all restarts in step: their candidates meet the sample in one product, the best of each
   * meets all points in another.
   */
  private static void seedInStep(
      GreedySeeding[] seedings, DensePoints points, DensePoints sample, int k) {
    int restarts = seedings.length;
    int trials = GreedySeeding.trials(k);
    int[][] drawn = new int[restarts][];
    int[] best = new int[restarts];
    float[] trialProducts = new float[Math.multiplyExact(restarts * trials, sample.size())];
    float[] products = new float[Math.multiplyExact(restarts, points.size())];
    Parallel.forBlocks(restarts, 1, (r, end) -> drawn[r] = seedings[r].draw(trials));
    for (int c = 0; c < k; c++) {
      boolean last = c == k - 1;
      int each = drawn[0].length;
      int[] candidates = Arrays.stream(drawn).flatMapToInt(Arrays::stream).toArray();
      sample.products(points.gather(candidates), trialProducts);
      // Some microseconds of work: waking another thread would take longer.
      for (int r = 0; r < restarts; r++) {
        best[r] = best(seedings[r], drawn[r], trialProducts, r * each);
      }
      points.products(best, products);
      Parallel.forBlocks(
          restarts,
          1,
          (r, end) -> {
            seedings[r].accept(best[r], products, r * points.size());
            if (!last) {
              drawn[r] = seedings[r].draw(trials);
            }
          });
    }
  }

  /** The candidate that leaves least; its products with the sample begin at that row. */
  private static int best(GreedySeeding seeding, int[] drawn, float[] products, int firstRow) {
    int best = drawn[0];
    double least = Double.POSITIVE_INFINITY;
    for (int t = 0; t < drawn.length; t++) {
      double potential =
          seeding.potential(drawn[t], products, (firstRow + t) * seeding.sampleSize());
      if (potential < least) {
        least = potential;
        best = drawn[t];
      }
    }
    return best;
  }

  /** Points enough to tell good candidates from bad ones; null where that is no saving. */
  private static int[] sample(int n, int k, RandomGenerator random) {
    int size = Math.max(LEAST_SAMPLE, 4 * k);
    return n < 2 * size ? null : RandomIndices.distinct(n, size, random);
  }

  private static DensePoints dense(Points points) {
    return points instanceof DensePoints dense
        ? dense
        : new DensePoints(points.coordinates(0, points.size()));
  }
}
