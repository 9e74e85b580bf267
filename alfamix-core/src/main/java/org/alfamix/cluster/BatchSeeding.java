package org.alfamix.cluster;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Seeding for many centres: k-means++ in rounds, each of which draws a batch of centres by squared
 * distance at once, as k-means|| does. All centres of a batch meet the points in one block product,
 * so that the whole costs as much as a single assignment; one centre after the other would wait for
 * memory instead.
 *
 * <p>B. Bahmani, B. Moseley, A. Vattani, R. Kumar and S. Vassilvitskii, "Scalable k-means++", VLDB
 * 2012. They draw more centres than wanted and cluster those again; with batches that begin small
 * and hold a sixteenth of the centres at most, exactly k are drawn and nothing is left to cluster.
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

  /** Every point with the nearest of {@code clusters} centres. */
  static Assignment seed(DensePoints points, int clusters, RandomGenerator random) {
    BatchSeeding seeding = new BatchSeeding(points, clusters, random);
    seeding.accept(new int[] {random.nextInt(points.size())}, 0);
    int batch = FIRST_BATCH;
    for (int drawn = 1; drawn < clusters; ) {
      int size = Math.min(batch, clusters - drawn);
      seeding.accept(seeding.draw(size), drawn);
      drawn += size;
      batch = Math.min(2 * batch, Math.max(FIRST_BATCH, clusters / 16));
    }
    return new Assignment(seeding.assignment, seeding.least);
  }

  /** Distinct points, each drawn with a probability proportional to its squared distance. */
  private int[] draw(int count) {
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
    // A point may be hit twice. Where few are left to hit, take what comes instead of waiting.
    for (int tries = 0; found < Math.min(count, positive) && tries < 20 * count; tries++) {
      int hit = hit(cumulative, random.nextDouble() * total);
      if (!chosen[hit]) {
        chosen[hit] = true;
        result[found++] = hit;
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

  /** The first point whose share of the total reaches beyond u. */
  private static int hit(double[] cumulative, double u) {
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
      // Rounding must not assign a centre to another one, or its cluster may be empty.
      least[batch[j]] = -points.squaredNorm(batch[j]);
      assignment[batch[j]] = first + j;
      chosen[batch[j]] = true;
    }
  }
}
