package org.alfamix.cluster;

/**
 * A partition of points into clusters.
 *
 * @param assignment cluster of every point
 * @param nearest the member of every cluster that is nearest to its centre
 * @param inertia sum of squared distances of the points to their centres
 * @param iterations number of moves of the centres
 * @param method description of the method, for reports
 */
public record Clustering(
    int[] assignment, int[] nearest, double inertia, int iterations, String method) {

  /** Returns the number of clusters; none is empty. */
  public int clusters() {
    return nearest.length;
  }
}
