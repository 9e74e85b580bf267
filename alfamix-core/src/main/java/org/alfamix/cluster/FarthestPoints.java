package org.alfamix.cluster;

import java.util.Arrays;

/**
 * Points by how far they are from a growing set of centres, farthest first; of equally far ones the
 * lower index.
 *
 * <p>Done lazily. The dissimilarity to the nearest centre only shrinks as centres are added, so the
 * value a point had some centres ago is an upper bound of today's. The points wait in a heap by
 * that bound; the first is brought up to date against the centres it has not seen, and is the
 * farthest if it still comes first. A thousandth of all comparisons are enough, and no triangle
 * inequality is asked for.
 */
public final class FarthestPoints {
  private final double[] nearest;
  private final int[] seen;
  private final int[] heap;
  private int heapSize;
  private long comparisons;

  /**
   * @param nearest for every point its dissimilarity to the nearest of the centres that are there
   *     already; {@link Double#POSITIVE_INFINITY} where there are none. Left untouched.
   */
  public FarthestPoints(double[] nearest) {
    this.nearest = nearest.clone();
    this.seen = new int[nearest.length];
    this.heap = new int[nearest.length];
    Arrays.setAll(heap, i -> i);
    this.heapSize = heap.length;
    for (int at = heapSize / 2 - 1; at >= 0; at--) {
      siftDown(at);
    }
  }

  /** How many points wait. */
  public int size() {
    return heapSize;
  }

  /** The point whose bound comes first: no other point that waits comes before it. */
  public int peek() {
    return heap[0];
  }

  /** What is known of a point: an upper bound, and exact for what was just {@link #farthest}. */
  public double bound(int point) {
    return nearest[point];
  }

  /** How many dissimilarities were computed. */
  public long comparisons() {
    return comparisons;
  }

  /**
   * The farthest point, which goes on waiting.
   *
   * @param centres how many centres there are by now; those of earlier calls are among them
   * @param toCentre dissimilarity of a point and the centre of that number
   */
  public int farthest(int centres, Dissimilarity toCentre) {
    while (true) {
      int first = heap[0];
      if (seen[first] == centres) {
        return first;
      }
      comparisons += centres - seen[first];
      for (int c = seen[first]; c < centres; c++) {
        nearest[first] = Math.min(nearest[first], toCentre.between(first, c));
      }
      seen[first] = centres;
      siftDown(0);
    }
  }

  /** Takes out the first point. */
  public void remove() {
    heap[0] = heap[--heapSize];
    siftDown(0);
  }

  /** Puts back a point that was taken out. */
  public void restore(int point) {
    int at = heapSize++;
    while (at > 0 && comesBefore(point, heap[(at - 1) / 2])) {
      heap[at] = heap[(at - 1) / 2];
      at = (at - 1) / 2;
    }
    heap[at] = point;
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
