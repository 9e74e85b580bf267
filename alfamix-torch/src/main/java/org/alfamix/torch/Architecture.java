package org.alfamix.torch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.datasets.InputShape;

/**
 * A kind of network. To add one, implement this in a class of its own and list it in {@link
 * org.alfamix.torch.network.BuiltInNetworks}, or name the class in {@code META-INF/services}.
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
   * @throws org.alfamix.io.DataException where it cannot take such inputs
   */
  Backbone build(Parameters parameters, InputShape input);

  /**
   * The same network with options, as people write them behind its name.
   *
   * @throws org.alfamix.io.DataException where it has no such option
   */
  default Architecture with(Map<String, String> options) {
    new NetworkOptions(name(), options).requireNoOthers();
    return this;
  }

  /** What else a tensor is called in checkpoints that people have. */
  default List<String> aliases(String tensor) {
    return List.of();
  }

  /**
   * Returns the tensors that make up this one when put after each other, in checkpoints that keep
   * them apart; empty where there are none.
   */
  default List<String> parts(String tensor) {
    return List.of();
  }

  /**
   * Brings a tensor of a checkpoint to another shape, where there is a way to do so, as for places
   * in an image of another size.
   *
   * @return its values, or empty
   */
  default Optional<float[]> reshaped(String tensor, float[] values, long[] from, long[] to) {
    return Optional.empty();
  }

  /** The name of the linear layer behind the embedding. */
  default String head() {
    return "head";
  }
}
