package org.alfamix.cluster;

import org.alfamix.math.FloatMatrix;

/**
 * Lloyd's iteration without a table of products, for numbers of centres and points that exceed its
 * maximum size.
 */
final class StreamingLloyd extends Lloyd {
  private final DensePoints points;
  private final FloatMatrix centres;

  StreamingLloyd(DensePoints points, int clusters, Assignment start) {
    super(points, clusters, start);
    this.points = points;
    this.centres = FloatMatrix.zeros(clusters, points.dimension());
  }

  @Override
  void moveCentres(int[] changed) {
    moveCentres(this, points, changed, centres);
  }

  /** Writes the means of the changed clusters to their rows of the centres. */
  static void moveCentres(Lloyd lloyd, DensePoints points, int[] changed, FloatMatrix centres) {
    FloatMatrix moved = FloatMatrix.zeros(changed.length, points.dimension());
    lloyd.average(points, changed, moved);
    for (int c = 0; c < changed.length; c++) {
      System.arraycopy(
          moved.array(),
          moved.rowOffset(c),
          centres.array(),
          centres.rowOffset(changed[c]),
          centres.columns());
    }
  }

  @Override
  void offerCentres(int from, int to) {
    points.products(centres, from, to, (j, block, offset) -> offer(j, block, offset, 1, from, to));
  }
}
