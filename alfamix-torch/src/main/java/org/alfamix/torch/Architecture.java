package org.alfamix.torch;

import org.alfamix.dataset.InputShape;

/**
 * A kind of network. To add one, implement this in a class of its own and list it in {@link
 * Architectures}, or name the class in {@code META-INF/services}.
 */
public interface Architecture {

  /** What people call it by. */
  String name();

  /** What it is, in a line. */
  String description();

  /**
   * Registers the tensors of everything before the head, and says how an input becomes an
   * embedding.
   *
   * @throws org.alfamix.data.DataException where it cannot take such inputs
   */
  Backbone build(Parameters parameters, InputShape input);

  /** The name of the linear layer behind the embedding. */
  default String head() {
    return "head";
  }
}
