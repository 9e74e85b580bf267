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
 * k-means with greedy k-means++ seeding. Returns the restart with the lowest inertia.
 *
 * <p>The cheaper of two equivalent algorithms is used. Seeding needs the distances from restarts ×
 * trials × k points to all others. If these are many more than all pairs, the Gram matrix is
 * computed once and seeding only reads it; for small clusters Lloyd's steps read it, too ({@link
 * GramLloyd}). Otherwise the restarts advance in lockstep, so that each pass over the points serves
 * all of them. For many points the candidates for a centre are then compared on a sample, and the
 * centres are vectors ({@link DenseLloyd}, or {@link StreamingLloyd} if a table would be too
 * large).
 *
 * <p>For more than 4,096 points (or eight per cluster, if that is more), the restarts run on a
 * sample of this size, and the best one continues on all points. Time thus grows with the number of
 * points, not with restarts × points.
 *
 * <p>If even one assignment of all points takes long (100,000 points of 768 features to 10,000
 * centres are 770 billion multiplications), the approximate algorithm is used: one start with
 * centres sampled in batches ({@link BatchSeeding}) and few moves ({@link NeighbourLloyd}). {@link
 * Clustering#method} describes the algorithm that was used.
 */
public final class KMeans {

  /** Largest number of points for which the Gram matrix is computed: 8,192² floats are 256 MB. */
  private static final int MAX_GRAM_POINTS = 8192;

  /** Largest table of products of centres and points per restart: 256 MB, too. */
  private static final long MAX_TABLE_SIZE = 1L << 26;

  /** Smallest sample on which candidates for a centre are compared. */
  private static final int MIN_CANDIDATE_SAMPLE = 1024;

  /** Smallest sample for the restarts; eight points per cluster if that is more. */
  private static final int MIN_RESTART_SAMPLE = 4096;

  /**
   * Largest number of multiplications for one assignment of all points without approximation. 2^36
   * take about a second on two cores, and ten restarts need some two hundred assignments, so larger
   * ones would take minutes.
   */
  private static final long MAX_FULL_MULTIPLICATIONS = 1L << 36;

  /** Number of iterations and tolerance of the approximate algorithm. */
  private static final int APPROXIMATE_ITERATIONS = 20;

  private static final double APPROXIMATE_TOLERANCE = 3e-4;

  /**
   * Options of k-means.
   *
   * @param clusters number of clusters, at least 1
   * @param restarts number of restarts; the result with the lowest inertia is returned
   * @param maxIterations maximum number of moves of the centres per start
   * @param tolerance relative decrease of the inertia at or below which the iteration stops
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

    /** Returns the defaults: ten restarts, at most 300 moves, tolerance 1e-4. */
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

  /** Clusters the rows of a matrix, which is not modified. */
  public static Clustering cluster(FloatMatrix rows, Options options, RandomGenerator random) {
    // A shift changes no distance, but small coordinates lose fewer digits to rounding.
    return cluster(new DensePoints(rows.minus(rows.columnMeans())), options, random);
  }

  /**
   * Clusters the rows with the algorithm that {@link #cluster} uses only for very many points,
   * regardless of their number, to measure its loss in quality.
   */
  public static Clustering clusterApproximately(
      FloatMatrix rows, Options options, RandomGenerator random) {
    DensePoints points = new DensePoints(rows.minus(rows.columnMeans()));
    check(points, options);
    return Parallel.inPool(() -> approximate(points, options, random));
  }

  /** Clusters points of any type. */
  public static Clustering cluster(Points points, Options options, RandomGenerator random) {
    check(points, options);
    long products = (long) points.size() * options.clusters() * points.dimension();
    return Parallel.inPool(
        () ->
            products > MAX_FULL_MULTIPLICATIONS
                ? approximate(dense(points), options, random)
                : clusterFully(points, options, random));
  }

  private static void check(Points points, Options options) {
    if (points.size() < options.clusters()) {
      throw new IllegalArgumentException(
          "Cannot form %d clusters from %d points.".formatted(options.clusters(), points.size()));
    }
    for (int i = 0; i < points.size(); i++) {
      if (!Float.isFinite(points.squaredNorm(i))) {
        throw new InvalidDataException(
            "Point " + i + " cannot be clustered: its squared norm is not a finite float.");
      }
    }
  }

  /** Clusters with all restarts, until the centres converge. */
  static Clustering clusterFully(Points points, Options options, RandomGenerator random) {
    int sampleSize = Math.max(MIN_RESTART_SAMPLE, 8 * options.clusters());
    return points.size() <= sampleSize
        ? bestOfRestarts(points, options, random)
        : restartOnSample(dense(points), sampleSize, options, random);
  }

  /**
   * Clusters with one start from centres sampled in batches, and few moves among neighbouring
   * clusters.
   */
  static Clustering approximate(DensePoints points, Options options, RandomGenerator random) {
    int k = options.clusters();
    int iterations = Math.min(APPROXIMATE_ITERATIONS, options.maxIterations());
    boolean neighbours = k >= 4 * NeighbourLloyd.NEIGHBOURS;
    String method =
        "approximate because of the size: 1 start instead of %d, centres sampled in batches (k-means||), at most %d iterations%s"
            .formatted(
                options.restarts(),
                iterations,
                neighbours ? " among the " + NeighbourLloyd.NEIGHBOURS + " nearest clusters" : "");
    Assignment start = BatchSeeding.seed(points, k, random);
    Lloyd lloyd = neighbours ? new NeighbourLloyd(points, k, start) : lloyd(points, k, start);
    return lloyd.run(iterations, Math.max(APPROXIMATE_TOLERANCE, options.tolerance()), method);
  }

  private static String describe(Options options, String suffix) {
    return "%d restarts of greedy k-means++%s, at most %d iterations"
        .formatted(options.restarts(), suffix, options.maxIterations());
  }

  /** Runs the restarts on a sample and continues the best one on all points. */
  private static Clustering restartOnSample(
      DensePoints points, int size, Options options, RandomGenerator random) {
    int k = options.clusters();
    int[] indices = RandomIndices.distinct(points.size(), size, random);
    FloatMatrix sample = points.gather(indices);
    Clustering best = bestOfRestarts(new DensePoints(sample), options, random);
    Lloyd lloyd = lloyd(points, k, nearest(points, centres(sample, best.assignment(), k)));
    String method =
        describe(options, " on a sample of " + size + ", the best continued on all points");
    return lloyd.run(options.maxIterations(), options.tolerance(), method);
  }

  /** Returns the mean of the rows of each of {@code k} clusters. */
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

  /** Returns the nearest of the given centres for every row. */
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
    return (long) points.size() * k <= MAX_TABLE_SIZE
        ? new DenseLloyd(points, k, start)
        : new StreamingLloyd(points, k, start);
  }

  static Clustering bestOfRestarts(Points points, Options options, RandomGenerator random) {
    int n = points.size();
    int k = options.clusters();
    boolean useGram = isGramMatrixCheaper(n, options);
    int[] sample = useGram ? null : sample(n, k, random);
    // Each restart has its own generator, so that results do not depend on the order of threads.
    GreedySeeding[] seedings = new GreedySeeding[options.restarts()];
    for (int r = 0; r < seedings.length; r++) {
      seedings[r] = new GreedySeeding(points, k, new SplittableRandom(random.nextLong()), sample);
    }
    Clustering[] results = new Clustering[seedings.length];
    if (useGram) {
      GramMatrix gram = GramMatrix.of(points);
      Parallel.forBlocks(
          seedings.length,
          1,
          (from, to) -> {
            seed(seedings[from], gram, k);
            Lloyd lloyd =
                isGramLloydCheaper(points, k)
                    ? new GramLloyd(points, gram, k, seedings[from].assignment())
                    : lloyd(dense(points), k, seedings[from].assignment());
            results[from] =
                lloyd.run(options.maxIterations(), options.tolerance(), describe(options, ""));
          });
    } else {
      DensePoints dense = dense(points);
      DensePoints compared = sample == null ? dense : new DensePoints(dense.gather(sample));
      seedInLockstep(seedings, dense, compared, k);
      Parallel.forBlocks(
          seedings.length,
          1,
          (from, to) -> {
            Lloyd lloyd = lloyd(dense, k, seedings[from].assignment());
            results[from] =
                lloyd.run(options.maxIterations(), options.tolerance(), describe(options, ""));
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

  /**
   * Returns whether the Gram matrix is cheaper than seeding without it: it costs n²/2 products,
   * seeding costs n per trial. The comparison demands a clear advantage.
   */
  private static boolean isGramMatrixCheaper(int n, Options options) {
    long trials =
        (long) options.restarts() * options.clusters() * GreedySeeding.trials(options.clusters());
    return n <= MAX_GRAM_POINTS && n <= trials;
  }

  /**
   * Returns whether {@link GramLloyd} is cheaper than centres as vectors. A centre's row of
   * products consists of n sums over its members' rows of the Gram matrix, which are bound by
   * memory bandwidth, or of n products with a vector, which are not. In measurements, one of these
   * additions costs as much as a dozen of the multiplications.
   */
  private static boolean isGramLloydCheaper(Points points, int k) {
    return !(points instanceof DensePoints) || points.size() / k <= points.dimension() / 12;
  }

  private static void seed(GreedySeeding seeding, GramMatrix gram, int k) {
    int trials = GreedySeeding.trials(k);
    int n = gram.size();
    for (int c = 0; c < k; c++) {
      int best = -1;
      double least = Double.POSITIVE_INFINITY;
      for (int candidate : seeding.sampleCandidates(trials)) {
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
   * Seeds all restarts in lockstep: one block product compares the candidates of all restarts on
   * the sample, another one computes the distances of all points to the best candidates.
   */
  private static void seedInLockstep(
      GreedySeeding[] seedings, DensePoints points, DensePoints sample, int k) {
    int restarts = seedings.length;
    int trials = GreedySeeding.trials(k);
    int[][] proposed = new int[restarts][];
    int[] best = new int[restarts];
    float[] trialProducts = new float[Math.multiplyExact(restarts * trials, sample.size())];
    float[] products = new float[Math.multiplyExact(restarts, points.size())];
    Parallel.forBlocks(restarts, 1, (r, end) -> proposed[r] = seedings[r].sampleCandidates(trials));
    for (int c = 0; c < k; c++) {
      boolean last = c == k - 1;
      int each = proposed[0].length;
      int[] candidates = Arrays.stream(proposed).flatMapToInt(Arrays::stream).toArray();
      sample.products(points.gather(candidates), trialProducts);
      // This takes microseconds: waking another thread would take longer.
      for (int r = 0; r < restarts; r++) {
        best[r] = best(seedings[r], proposed[r], trialProducts, r * each);
      }
      points.products(best, products);
      Parallel.forBlocks(
          restarts,
          1,
          (r, end) -> {
            seedings[r].accept(best[r], products, r * points.size());
            if (!last) {
              proposed[r] = seedings[r].sampleCandidates(trials);
            }
          });
    }
  }

  /**
   * Returns the candidate with the lowest potential; the products of the candidates with the sample
   * start at {@code firstRow}.
   */
  private static int best(GreedySeeding seeding, int[] proposed, float[] products, int firstRow) {
    int best = proposed[0];
    double least = Double.POSITIVE_INFINITY;
    for (int t = 0; t < proposed.length; t++) {
      double potential =
          seeding.potential(proposed[t], products, (firstRow + t) * seeding.sampleSize());
      if (potential < least) {
        least = potential;
        best = proposed[t];
      }
    }
    return best;
  }

  /** Samples enough points to tell good candidates from bad ones; null if this saves nothing. */
  private static int[] sample(int n, int k, RandomGenerator random) {
    int size = Math.max(MIN_CANDIDATE_SAMPLE, 4 * k);
    return n < 2 * size ? null : RandomIndices.distinct(n, size, random);
  }

  private static DensePoints dense(Points points) {
    return points instanceof DensePoints dense
        ? dense
        : new DensePoints(points.coordinates(0, points.size()));
  }
}
