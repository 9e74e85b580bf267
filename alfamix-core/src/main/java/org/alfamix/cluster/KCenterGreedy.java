package org.alfamix.cluster;

import java.util.Arrays;

/**
 * Greedy k-center: picks again and again the point that is most unlike everything picked so far.
 *
 * <p>T. Gonzalez, "Clustering to minimize the maximum intercluster distance", Theoretical Computer
 * Science 38, 1985.
 *
 * <p>Done lazily. The dissimilarity to the nearest centre only shrinks as picks are added, so the
 * value a point had some picks ago is an upper bound of today's. The points wait in a heap by that
 * bound; the first is brought up to date against the picks it has not seen, and is the next pick if
 * it still comes first. The picks are the same as those of the plain method with a thousandth of
 * its comparisons, and no triangle inequality is asked for. Ties go to the lower index.
 */
public final class KCenterGreedy {

  /**
   * Points in the order in which they were picked.
   *
   * @param indices distinct indices
   * @param dissimilarities for each pick that to its nearest centre when it was picked
   * @param comparisons how many dissimilarities were computed
   */
  public record Picks(int[] indices, double[] dissimilarities, long comparisons) {}

  private final Dissimilarity dissimilarity;
  private final double[] nearest;
  private final int[] seen;
  private final int[] heap;
  private int heapSize;

  private KCenterGreedy(double[] nearest, Dissimilarity dissimilarity) {
    this.dissimilarity = dissimilarity;
    this.nearest = nearest.clone();
    this.seen = new int[nearest.length];
    this.heap = new int[nearest.length];
    Arrays.setAll(heap, i -> i);
    this.heapSize = heap.length;
    for (int at = heapSize / 2 - 1; at >= 0; at--) {
      siftDown(at);
    }
  }

  /**
   * Picks {@code count} distinct points.
   *
   * @param nearest for every point its dissimilarity to the nearest of the centres that are there
   *     already; {@link Double#POSITIVE_INFINITY} where there are none. Left untouched.
   */
  public static Picks pick(double[] nearest, Dissimilarity dissimilarity, int count) {
    if (count < 0 || count > nearest.length) {
      throw new IllegalArgumentException(
          "Cannot pick %d of %d points.".formatted(count, nearest.length));
    }
    return new KCenterGreedy(nearest, dissimilarity).run(count);
  }

  private Picks run(int count) {
    int[] picks = new int[count];
    double[] values = new double[count];
    long comparisons = 0;
    int picked = 0;
    while (picked < count) {
      int first = heap[0];
      if (seen[first] == picked) {
        picks[picked] = first;
        values[picked++] = nearest[first];
        heap[0] = heap[--heapSize];
      } else {
        comparisons += picked - seen[first];
        for (int p = seen[first]; p < picked; p++) {
          nearest[first] = Math.min(nearest[first], dissimilarity.between(first, picks[p]));
        }
        seen[first] = picked;
      }
      siftDown(0);
    }
    return new Picks(picks, values, comparisons);
  }

  private void siftDown(int at) {
    while (true) {
      int child = 2 * at + 1;
      if (child >= heapSize) {
        return;
      }
      if (child + 1 < heapSize && comesBefore(heap[child + 1], heap[child])) {
        child++;
      }
      if (!comesBefore(heap[child], heap[at])) {
        return;
      }
      int swap = heap[at];
      heap[at] = heap[child];
      heap[child] = swap;
      at = child;
    }
  }

  private boolean comesBefore(int i, int j) {
    return nearest[i] > nearest[j] || (nearest[i] == nearest[j] && i < j);
  }
}
