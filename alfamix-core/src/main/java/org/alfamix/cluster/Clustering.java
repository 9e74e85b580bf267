package org.alfamix.cluster;

/**
 * A partition of points into clusters.
 *
 * @param assignment for every point the number of its cluster
 * @param nearest for every cluster the member nearest to its centre
 * @param inertia sum of squared distances of the points to their centres
 * @param iterations how many times the centres moved
 * @param method how the centres were found, in words
 */
public record Clustering(
    int[] assignment, int[] nearest, double inertia, int iterations, String method) {

  /** Number of clusters; none is empty. */
  public int clusters() {
    return nearest.length;
  }
}
