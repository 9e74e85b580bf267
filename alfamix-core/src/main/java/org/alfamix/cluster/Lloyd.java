package org.alfamix.cluster;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;

/**
 * Lloyd's iteration: move every centre to the mean of its members, assign every point to the
 * nearest centre, until nothing changes.
 *
 * <p>S. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28,
 * 1982.
 *
 * <p>A table keeps the inner product of every centre with every point. Only centres whose
 * membership changed get their row computed anew, and from the third step on those are few: over a
 * whole run about half of the products are saved, without giving up the speed of block products.
 * (Bounds from the triangle inequality were measured too. On normalised embeddings of some hundred
 * features all distances are alike: Hamerly's bound skipped 2 % of the points, Elkan's saved no
 * more than the table does.)
 */
abstract class Lloyd {
  private static final int BLOCK = 2048;

  private final Points points;
  private final int clusters;

  /** For every point its squared distance to its centre, less its own squared norm. */
  private final float[] least;

  private final int[] assignment;

  /** Inner product of centre j and point i at {@code j · points + i}, times {@link #scales}. */
  final float[] products;

  /** What turns an entry of {@link #products} into an inner product with the centre. */
  final float[] scales;

  final float[] squaredNorms;
  final int[] sizes;

  /** Members of cluster j stand at {@code members[starts[j]]} to {@code members[starts[j + 1]]}. */
  final int[] members;

  final int[] starts;

  Lloyd(Points points, int clusters, GreedySeeding seeding) {
    this.points = points;
    this.clusters = clusters;
    this.assignment = seeding.assignment();
    this.least = seeding.least();
    this.products = new float[Math.multiplyExact(clusters, points.size())];
    this.scales = new float[clusters];
    this.squaredNorms = new float[clusters];
    this.sizes = new int[clusters];
    this.members = new int[points.size()];
    this.starts = new int[clusters + 1];
  }

  /** Recomputes products, scale and squared norm of these clusters from their members. */
  abstract void moveCentres(int[] changed);

  final Clustering run(int maxIterations, double tolerance) {
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
    return new Clustering(assignment, nearest(), inertia(), iterations);
  }

  private void assign() {
    int n = points.size();
    Parallel.forBlocks(
        n,
        BLOCK,
        (from, to) -> {
          Arrays.fill(least, from, to, Float.POSITIVE_INFINITY);
          for (int j = 0; j < clusters; j++) {
            Kernels.lowerInto(
                products,
                j * n + from,
                -2 * scales[j],
                squaredNorms[j],
                least,
                assignment,
                j,
                from,
                to);
          }
        });
  }

  /** A cluster that lost its last member takes the point that is farthest from its own centre. */
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
