package org.alfamix.cluster;

import org.alfamix.math.FloatMatrix;

/**
 * Points of a Euclidean space, defined by their inner products.
 *
 * <p>Seeding and clustering need only inner products, so a point need not be stored as a vector:
 * BADGE's gradient embeddings have classes × features coordinates, but their inner products cost
 * only classes + features multiplications (see {@link OuterProductPoints}).
 */
public interface Points {

  /** Returns the number of points. */
  int size();

  /** Returns the number of coordinates of a point. */
  int dimension();

  /** Returns the squared Euclidean norm of a point. */
  float squaredNorm(int i);

  /**
   * Computes the inner products of the points {@code indices[k]} with all points: {@code out[k ·
   * size() + i]}.
   */
  void products(int[] indices, float[] out);

  /**
   * Lowers {@code least[i]}, the squared distance of point i to its nearest centre, to the squared
   * distance to {@code centre} if that is smaller. Exact, but implementations may skip points whose
   * distance cannot be smaller.
   */
  void lowerDistances(int centre, float[] least);

  /** Returns the coordinates of the points {@code from} to {@code to}, one point per row. */
  FloatMatrix coordinates(int from, int to);
}
