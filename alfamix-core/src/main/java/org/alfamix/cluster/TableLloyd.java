package org.alfamix.cluster;

/**
 * Lloyd's iteration with a table of the inner products of every centre with every point.
 *
 * <p>Only the rows of centres whose membership changed are recomputed, and from the third step on
 * these are few. This saves about half of the products of a run and keeps the speed of block
 * products. (Bounds from the triangle inequality save no more. For normalized embeddings of some
 * hundred features, all distances are similar: in measurements Hamerly's bound skipped 2 % of the
 * points, and Elkan's saved no more than the table.)
 */
abstract class TableLloyd extends Lloyd {
  /**
   * Inner product of centre j and point i at {@code j · points + i}, divided by {@link #scales}.
   */
  final float[] products;

  /**
   * The factor of each centre by which an entry of {@link #products} is multiplied to obtain the
   * inner product.
   */
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
