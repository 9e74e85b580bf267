package org.alfamix.model;

import org.alfamix.math.FloatMatrix;

/**
 * The last part of a network: it maps embeddings to logits.
 *
 * <p>Implementations must allow calls from several threads.
 */
public interface Head {

  /** Length of an embedding. */
  int features();

  /** Number of classes. */
  int classes();

  /** Logits of the given embeddings, one row each. */
  FloatMatrix logits(FloatMatrix embeddings);

  /**
   * For each embedding the direction in which the cross-entropy at the given class grows: its
   * gradient with respect to the embedding, or any positive multiple of it. Only the direction
   * counts, so a head may return one that does not underflow where the class is all but certain.
   */
  FloatMatrix lossDirection(FloatMatrix embeddings, int[] labels);
}
