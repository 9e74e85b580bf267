package org.alfamix.cluster;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Seeding for many centres: k-means++ in rounds. Like k-means||, each round samples a batch of
 * centres by squared distance. One block product computes the distances of all points to a batch,
 * so that all rounds together cost as much as a single assignment. Adding centres one by one would
 * be bound by memory bandwidth.
 *
 * <p>B. Bahmani, B. Moseley, A. Vattani, R. Kumar and S. Vassilvitskii, "Scalable k-means++", VLDB
 * 2012. Their method samples more centres than needed and clusters those again. Here, batches start
 * small and hold at most a sixteenth of the centres, so sampling exactly k centres suffices.
 */
final class BatchSeeding {
  private static final int FIRST_BATCH = 16;

  private final DensePoints points;
  private final int clusters;
  private final RandomGenerator random;
  private final float[] least;
  private final int[] assignment;
  private final boolean[] chosen;

  private BatchSeeding(DensePoints points, int clusters, RandomGenerator random) {
    this.points = points;
    this.clusters = clusters;
    this.random = random;
    this.least = new float[points.size()];
    this.assignment = new int[points.size()];
    this.chosen = new boolean[points.size()];
    Arrays.fill(least, Float.POSITIVE_INFINITY);
  }

  /** Samples {@code clusters} centres and returns the nearest one of every point. */
  static Assignment seed(DensePoints points, int clusters, RandomGenerator random) {
    BatchSeeding seeding = new BatchSeeding(points, clusters, random);
    seeding.accept(new int[] {random.nextInt(points.size())}, 0);
    int batch = FIRST_BATCH;
    for (int seeded = 1; seeded < clusters; ) {
      int size = Math.min(batch, clusters - seeded);
      seeding.accept(seeding.sampleBatch(size), seeded);
      seeded += size;
      batch = Math.min(2 * batch, Math.max(FIRST_BATCH, clusters / 16));
    }
    return new Assignment(seeding.assignment, seeding.least);
  }

  /** Samples distinct points with probabilities proportional to their squared distances. */
  private int[] sampleBatch(int count) {
    int n = points.size();
    double[] cumulative = new double[n];
    double total = 0;
    int positive = 0;
    for (int i = 0; i < n; i++) {
      double weight = chosen[i] ? 0 : Math.max(0, points.squaredNorm(i) + least[i]);
      positive += weight > 0 ? 1 : 0;
      total += weight;
      cumulative[i] = total;
    }
    int[] result = new int[count];
    int found = 0;
    // A point may be sampled twice. If few remain, stop sampling and take the next unchosen ones.
    for (int tries = 0; found < Math.min(count, positive) && tries < 20 * count; tries++) {
      int point = search(cumulative, random.nextDouble() * total);
      if (!chosen[point]) {
        chosen[point] = true;
        result[found++] = point;
      }
    }
    for (int i = random.nextInt(n); found < count; i = (i + 1) % n) {
      if (!chosen[i]) {
        chosen[i] = true;
        result[found++] = i;
      }
    }
    return result;
  }

  /** Returns the first point whose cumulative weight exceeds {@code u}. */
  private static int search(double[] cumulative, double u) {
    int low = 0;
    int high = cumulative.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (cumulative[middle] > u) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void accept(int[] batch, int first) {
    points.assignNearest(points.gather(batch), first, least, assignment);
    for (int j = 0; j < batch.length; j++) {
      // Rounding must not assign a centre to another centre, because its cluster could then be
      // empty.
      least[batch[j]] = -points.squaredNorm(batch[j]);
      assignment[batch[j]] = first + j;
      chosen[batch[j]] = true;
    }
  }
}
