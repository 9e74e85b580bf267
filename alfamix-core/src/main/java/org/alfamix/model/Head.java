package org.alfamix.model;

import org.alfamix.math.FloatMatrix;

/**
 * The last layer of a network, which maps embeddings to logits.
 *
 * <p>Implementations must be thread-safe.
 */
public interface Head {

  /** Returns the number of features of an embedding. */
  int features();

  /** Returns the number of classes. */
  int classes();

  /** Returns the logits of the given embeddings, one row each. */
  FloatMatrix logits(FloatMatrix embeddings);

  /** Returns, for each embedding, the gradient of its cross-entropy loss at the given class. */
  FloatMatrix lossGradient(FloatMatrix embeddings, int[] labels);

  /**
   * Returns the direction of that gradient, that is, any positive multiple of it. A head may return
   * a multiple that does not underflow when the probability of the class is close to 1.
   */
  default FloatMatrix lossDirection(FloatMatrix embeddings, int[] labels) {
    return lossGradient(embeddings, labels);
  }
}
