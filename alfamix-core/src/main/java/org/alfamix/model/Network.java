package org.alfamix.model;

import org.alfamix.math.FloatMatrix;

/**
 * A whole network, from its inputs to logits, as far as an attack on its inputs needs it.
 *
 * <p>Implementations must allow calls from several threads.
 */
public interface Network {

  /** Length of an input; images are flattened. */
  int inputs();

  /** Number of classes. */
  int classes();

  /** Logits of some inputs, one row each. */
  FloatMatrix logits(FloatMatrix inputs);

  /**
   * What the network is like in the neighbourhood of some inputs.
   *
   * @param logits one row per input
   * @param gradients row {@code i · classes + k} holds the gradient of logit k by input i
   */
  record Linearization(FloatMatrix logits, FloatMatrix gradients) {}

  /** Logits of some inputs and their gradients. */
  Linearization linearize(FloatMatrix inputs);
}
