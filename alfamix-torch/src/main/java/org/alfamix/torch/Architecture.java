package org.alfamix.torch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.datasets.InputShape;

/**
 * A network architecture. To add one, implement this interface in a separate class and list it in
 * {@link org.alfamix.torch.network.BuiltInNetworks}, or name the class in {@code
 * META-INF/services}.
 */
public interface Architecture {

  /** Returns the name that users write. */
  String name();

  /** Returns a description of one line. */
  String description();

  /**
   * Registers the tensors of all layers before the head, and returns the backbone that computes
   * embeddings.
   *
   * @throws org.alfamix.io.DataException if the network does not accept such inputs
   */
  Backbone build(Parameters parameters, InputShape input);

  /**
   * Returns the same network with options, which users append to its name.
   *
   * @throws org.alfamix.error.InvalidRequestException if the network does not have one of the
   *     options
   */
  default Architecture with(Map<String, String> options) {
    new NetworkOptions(name(), options).rejectUnknown();
    return this;
  }

  /** Returns other names of a tensor in existing checkpoints. */
  default List<String> aliases(String tensor) {
    return List.of();
  }

  /**
   * Returns the names of the tensors whose concatenation is this one, in checkpoints that store
   * them separately; empty if there are none.
   */
  default List<String> parts(String tensor) {
    return List.of();
  }

  /**
   * Converts a tensor of a checkpoint to another shape if possible, such as position embeddings for
   * images of another size.
   *
   * @return the converted values; empty if the conversion is not possible
   */
  default Optional<float[]> reshaped(String tensor, float[] values, long[] from, long[] to) {
    return Optional.empty();
  }

  /** Returns the name of the linear layer after the embedding. */
  default String head() {
    return "head";
  }
}
