package org.alfamix.cluster;

/**
 * Lloyd's iteration with a table of the inner products of every centre with every point.
 *
 * <p>Only centres whose membership changed get their row computed anew, and from the third step on
 * those are few: over a whole run about half of the products are saved, without giving up the speed
 * of block products. (Bounds from the triangle inequality were measured too. On normalised
 * embeddings of some hundred features all distances are alike: Hamerly's bound skipped 2 % of the
 * points, Elkan's saved no more than the table does.)
 */
abstract class TableLloyd extends Lloyd {
  /**
   * Inner product of centre j and point i at {@code j · points + i}, divided by {@link #scales}.
   */
  final float[] products;

  /** What turns an entry of {@link #products} into an inner product with the centre. */
  final float[] scales;

  private final int size;

  TableLloyd(Points points, int clusters, Assignment start) {
    super(points, clusters, start);
    this.size = points.size();
    this.products = new float[Math.multiplyExact(clusters, size)];
    this.scales = new float[clusters];
  }

  @Override
  final void offerCentres(int from, int to) {
    for (int j = 0; j < clusters; j++) {
      offer(j, products, j * size + from, scales[j], from, to);
    }
  }
}
