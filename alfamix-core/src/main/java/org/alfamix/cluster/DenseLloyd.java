package org.alfamix.cluster;

import java.util.Arrays;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;

/**
 * Lloyd's iteration with centres as vectors, by block products of the moved centres with the
 * points.
 */
final class DenseLloyd extends TableLloyd {
  private final DensePoints points;

  DenseLloyd(DensePoints points, int clusters, Assignment start) {
    super(points, clusters, start);
    this.points = points;
    Arrays.fill(scales, 1);
  }

  @Override
  void moveCentres(int[] changed) {
    FloatMatrix centres = FloatMatrix.zeros(changed.length, points.dimension());
    average(points, changed, centres);
    Parallel.forBlocks(
        points.size(),
        DensePoints.BLOCK,
        (from, to) ->
            points.products(
                centres,
                from,
                to,
                (c, block, offset) ->
                    System.arraycopy(
                        block, offset, products, changed[c] * points.size() + from, to - from)));
  }
}
