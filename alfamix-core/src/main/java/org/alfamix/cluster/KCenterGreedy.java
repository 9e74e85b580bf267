package org.alfamix.cluster;

import java.util.Arrays;

/**
 * Greedy k-center: picks again and again the point that is most unlike everything picked so far.
 *
 * <p>T. Gonzalez, "Clustering to minimize the maximum intercluster distance", Theoretical Computer
 * Science 38, 1985.
 *
 * <p>Done lazily, see {@link FarthestPoints}: the picks are the same as those of the plain method
 * with a thousandth of its comparisons. Ties go to the lower index.
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

  private KCenterGreedy() {}

  /**
   * Picks {@code count} distinct points; fewer where the constraint allows no more.
   *
   * @param nearest for every point its dissimilarity to the nearest of the centres that are there
   *     already; {@link Double#POSITIVE_INFINITY} where there are none. Left untouched.
   */
  public static Picks pick(
      double[] nearest, Dissimilarity dissimilarity, int count, PickConstraint constraint) {
    if (count < 0 || count > nearest.length) {
      throw new IllegalArgumentException(
          "Cannot pick %d of %d points.".formatted(count, nearest.length));
    }
    FarthestPoints points = new FarthestPoints(nearest);
    int[] picks = new int[count];
    double[] values = new double[count];
    int picked = 0;
    while (picked < count && points.size() > 0) {
      // Remove refused points before updating them, which would cost comparisons.
      if (!constraint.allows(points.peek())) {
        points.remove();
        continue;
      }
      int farthest =
          points.farthest(picked, (point, centre) -> dissimilarity.between(point, picks[centre]));
      if (constraint.allows(farthest)) {
        constraint.picked(farthest);
        values[picked] = points.bound(farthest);
        picks[picked++] = farthest;
      }
      points.remove();
    }
    return new Picks(
        Arrays.copyOf(picks, picked), Arrays.copyOf(values, picked), points.comparisons());
  }
}
