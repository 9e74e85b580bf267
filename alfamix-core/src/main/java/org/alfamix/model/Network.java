package org.alfamix.model;

import org.alfamix.math.FloatMatrix;

/**
 * A whole network, from inputs to logits, for attacks on its inputs.
 *
 * <p>Implementations must be thread-safe.
 */
public interface Network {

  /** Returns the number of values of an input; images are flattened. */
  int inputs();

  /** Returns the number of classes. */
  int classes();

  /** Returns the logits of the given inputs, one row each. */
  FloatMatrix logits(FloatMatrix inputs);

  /**
   * A linear approximation of the network at some inputs.
   *
   * @param logits one row per input
   * @param gradients row {@code i · classes + k} holds the gradient of logit k with respect to
   *     input i
   */
  record Linearization(FloatMatrix logits, FloatMatrix gradients) {}

  /** Returns the logits of the given inputs and their gradients. */
  Linearization linearize(FloatMatrix inputs);
}
