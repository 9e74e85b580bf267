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

  /** For each embedding the gradient of its cross-entropy at the given class. */
  FloatMatrix lossGradient(FloatMatrix embeddings, int[] labels);

  /**
   * The direction of that gradient: any positive multiple of it. Where only the direction counts, a
   * head may return one that does not underflow where the class is all but certain.
   */
  default FloatMatrix lossDirection(FloatMatrix embeddings, int[] labels) {
    return lossGradient(embeddings, labels);
  }
}
