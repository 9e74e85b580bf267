package org.alfamix.cluster;

import org.alfamix.math.FloatMatrix;

/**
 * Points of a Euclidean space that are known by their inner products.
 *
 * <p>This is all that seeding and clustering need, so a point need not exist as a vector: BADGE's
 * gradient embeddings have classes × features coordinates, but their inner products cost only
 * classes + features multiplications (see {@link OuterProductPoints}).
 */
public interface Points {

  /** How many points there are. */
  int size();

  /** Number of coordinates of a point. */
  int dimension();

  /** Squared Euclidean norm of a point. */
  float squaredNorm(int i);

  /** Inner products of the points {@code indices[k]} with all: {@code out[k · size() + i]}. */
  void products(int[] indices, float[] out);

  /**
   * Lowers {@code least[i]}, the squared distance of point i to its nearest centre, to the squared
   * distance to {@code centre} wherever that is smaller. Exact, but free to skip what cannot be
   * smaller.
   */
  void lowerDistances(int centre, float[] least);

  /** Writes the coordinates of the points {@code from} to {@code to}, row by row. */
  FloatMatrix coordinates(int from, int to);
}
