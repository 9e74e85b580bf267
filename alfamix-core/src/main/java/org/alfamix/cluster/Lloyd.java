package org.alfamix.cluster;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;

/**
 * Lloyd's iteration: moves every centre to the mean of its members and assigns every point to the
 * nearest centre, until nothing changes. Subclasses define the representation of the centres.
 *
 * <p>S. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28,
 * 1982.
 */
abstract class Lloyd {
  /**
   * Number of members per partial sum: sums of partial sums keep the rounding error of large
   * clusters small.
   */
  private static final int GROUP = 128;

  private final Points points;
  final int clusters;

  /** Squared distance of every point to its centre, minus its own squared norm. */
  final float[] least;

  final int[] assignment;

  /** Squared norms of the centres. */
  final float[] squaredNorms;

  final int[] sizes;

  /**
   * The members of cluster j are at {@code starts[j]} (inclusive) to {@code starts[j + 1]}
   * (exclusive).
   */
  final int[] members;

  final int[] starts;

  Lloyd(Points points, int clusters, Assignment start) {
    this.points = points;
    this.clusters = clusters;
    this.assignment = start.clusters();
    this.least = start.least();
    this.squaredNorms = new float[clusters];
    this.sizes = new int[clusters];
    this.members = new int[points.size()];
    this.starts = new int[clusters + 1];
  }

  /** Recomputes the centres of these clusters, and their squared norms, from their members. */
  abstract void moveCentres(int[] changed);

  /** Calls {@link #offer} with every centre for the points {@code from} to {@code to}. */
  abstract void offerCentres(int from, int to);

  /**
   * Assigns those of the points {@code from} to {@code to} to centre {@code j} that are nearer to
   * it than to all centres offered before.
   *
   * @param products the inner products of centre and points, divided by {@code scale}, from {@code
   *     offset} on
   */
  final void offer(int j, float[] products, int offset, float scale, int from, int to) {
    Kernels.lowerInto(
        products, offset, -2 * scale, squaredNorms[j], least, assignment, j, from, to);
  }

  /**
   * Runs the iteration.
   *
   * @param method description of the method, for the result
   */
  final Clustering run(int maxIterations, double tolerance, String method) {
    boolean[] changed = new boolean[clusters];
    Arrays.fill(changed, true);
    int[] before = new int[assignment.length];
    double inertia = Double.POSITIVE_INFINITY;
    int iterations = 0;
    while (iterations < maxIterations) {
      repairEmptyClusters(changed);
      groupMembers();
      moveCentres(indicesOf(changed));
      System.arraycopy(assignment, 0, before, 0, before.length);
      assign();
      iterations++;

      boolean moved = false;
      Arrays.fill(changed, false);
      for (int i = 0; i < before.length; i++) {
        if (before[i] != assignment[i]) {
          changed[before[i]] = true;
          changed[assignment[i]] = true;
          moved = true;
        }
      }
      double previous = inertia;
      inertia = inertia();
      if (!moved || previous - inertia <= tolerance * inertia) {
        break;
      }
    }
    repairEmptyClusters(changed);
    return new Clustering(assignment, nearest(), inertia(), iterations, method);
  }

  /** Assigns every point to the nearest centre. */
  void assign() {
    Parallel.forBlocks(
        points.size(),
        DensePoints.BLOCK,
        (from, to) -> {
          Arrays.fill(least, from, to, Float.POSITIVE_INFINITY);
          offerCentres(from, to);
        });
  }

  /** Moves the point that is farthest from its own centre to each empty cluster. */
  private void repairEmptyClusters(boolean[] changed) {
    Arrays.fill(sizes, 0);
    for (int j : assignment) {
      sizes[j]++;
    }
    for (int j = 0; j < clusters; j++) {
      if (sizes[j] == 0) {
        int farthest = -1;
        for (int i = 0; i < assignment.length; i++) {
          if (sizes[assignment[i]] > 1
              && (farthest < 0 || squaredDistance(i) > squaredDistance(farthest))) {
            farthest = i;
          }
        }
        changed[assignment[farthest]] = true;
        changed[j] = true;
        sizes[assignment[farthest]]--;
        sizes[j] = 1;
        assignment[farthest] = j;
        least[farthest] = -points.squaredNorm(farthest);
      }
    }
  }

  /**
   * Writes the means of these clusters' members to the rows of {@code centres}.
   *
   * <p>The points are visited in their order, not cluster by cluster, so that memory is prefetched
   * and the few centres stay in the cache. Large clusters are summed in groups, whose sums are
   * small enough to keep their digits.
   */
  final void average(DensePoints points, int[] changed, FloatMatrix centres) {
    FloatMatrix rows = points.coordinates(0, points.size());
    int columns = rows.columns();
    int[] position = new int[clusters];
    Arrays.fill(position, -1);
    for (int c = 0; c < changed.length; c++) {
      position[changed[c]] = c;
    }
    FloatMatrix groups = FloatMatrix.zeros(changed.length, columns);
    int[] grouped = new int[changed.length];
    for (int i = 0; i < assignment.length; i++) {
      int c = position[assignment[i]];
      if (c >= 0) {
        Kernels.axpy(
            1, rows.array(), rows.rowOffset(i), groups.array(), groups.rowOffset(c), columns);
        if (++grouped[c] % GROUP == 0) {
          addGroup(groups, c, centres, 1f / sizes[changed[c]]);
        }
      }
    }
    for (int c = 0; c < changed.length; c++) {
      addGroup(groups, c, centres, 1f / sizes[changed[c]]);
      squaredNorms[changed[c]] = Kernels.squaredNorm(centres, c);
    }
  }

  private static void addGroup(FloatMatrix groups, int c, FloatMatrix centres, float factor) {
    int at = groups.rowOffset(c);
    int columns = groups.columns();
    Kernels.axpy(factor, groups.array(), at, centres.array(), centres.rowOffset(c), columns);
    Arrays.fill(groups.array(), at, at + columns, 0);
  }

  private void groupMembers() {
    for (int j = 0; j < clusters; j++) {
      starts[j + 1] = starts[j] + sizes[j];
    }
    int[] next = Arrays.copyOf(starts, clusters);
    for (int i = 0; i < assignment.length; i++) {
      members[next[assignment[i]]++] = i;
    }
  }

  private static int[] indicesOf(boolean[] flags) {
    return IntStream.range(0, flags.length).filter(j -> flags[j]).toArray();
  }

  private float squaredDistance(int i) {
    return Math.max(0, points.squaredNorm(i) + least[i]);
  }

  private double inertia() {
    double sum = 0;
    for (int i = 0; i < least.length; i++) {
      sum += squaredDistance(i);
    }
    return sum;
  }

  private int[] nearest() {
    int[] nearest = new int[clusters];
    Arrays.fill(nearest, -1);
    for (int i = 0; i < assignment.length; i++) {
      int j = assignment[i];
      if (nearest[j] < 0 || squaredDistance(i) < squaredDistance(nearest[j])) {
        nearest[j] = i;
      }
    }
    return nearest;
  }
}
