package org.alfamix.cluster;

import java.util.Arrays;

/**
 * Greedy k-center: repeatedly picks the point that is most dissimilar to all earlier picks.
 *
 * <p>T. Gonzalez, "Clustering to minimize the maximum intercluster distance", Theoretical Computer
 * Science 38, 1985.
 *
 * <p>Distances are updated lazily, see {@link FarthestPoints}: the picks are the same as those of
 * the plain method, with a thousandth of its comparisons. Ties go to the lower index.
 */
public final class KCenterGreedy {

  /**
   * The picked points, in the order of picking.
   *
   * @param indices distinct indices
   * @param dissimilarities dissimilarity of each pick to its nearest centre at the time of picking
   * @param comparisons number of computed dissimilarities
   */
  public record Picks(int[] indices, double[] dissimilarities, long comparisons) {}

  private KCenterGreedy() {}

  /**
   * Picks {@code count} distinct points, or fewer if the constraint rejects all others.
   *
   * @param nearest dissimilarity of every point to the nearest existing centre; {@link
   *     Double#POSITIVE_INFINITY} if there are none. The array is not modified.
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
      // Remove rejected points before updating them, to save comparisons.
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
