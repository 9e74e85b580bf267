package org.alfamix.cluster;

import java.util.Arrays;

/**
 * A priority queue of points by their distance to a growing set of centres, farthest first. Ties go
 * to the lower index.
 *
 * <p>Distances are updated lazily. The dissimilarity to the nearest centre can only decrease when
 * centres are added, so an earlier value of a point is an upper bound. The points are kept in a
 * heap by this bound. The first point is updated with the centres added since its last update; it
 * is the farthest if it is still the first. This needs about a thousandth of all comparisons, and
 * no triangle inequality.
 */
public final class FarthestPoints {
  private final double[] nearest;
  private final int[] seen;
  private final int[] heap;
  private int heapSize;
  private long comparisons;

  /**
   * @param nearest dissimilarity of every point to the nearest existing centre; {@link
   *     Double#POSITIVE_INFINITY} if there are none. The array is not modified.
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

  /** Returns the number of points in the queue. */
  public int size() {
    return heapSize;
  }

  /** Returns the point with the largest bound. */
  public int peek() {
    return heap[0];
  }

  /**
   * Returns an upper bound of the distance of a point; exact for the last result of {@link
   * #farthest}.
   */
  public double bound(int point) {
    return nearest[point];
  }

  /** Returns the number of computed dissimilarities. */
  public long comparisons() {
    return comparisons;
  }

  /**
   * Returns the farthest point, without removing it.
   *
   * @param centres current number of centres, including those of earlier calls
   * @param toCentre dissimilarity of a point and the centre with the given number
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

  /** Removes the first point. */
  public void remove() {
    heap[0] = heap[--heapSize];
    siftDown(0);
  }

  /** Restores a removed point. */
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
