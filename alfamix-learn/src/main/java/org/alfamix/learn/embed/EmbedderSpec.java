package org.alfamix.learn.embed;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Scaling;
import org.alfamix.io.Digest;

/**
 * The settings of an embedder.
 *
 * @param name the name that users write
 * @param network the network that the weights belong to; empty if the file contains the network
 * @param weights a file, or the folder of published weights
 * @param scaling the scaling of pixels
 * @param input the shape of an item
 * @param threads number of threads that compute
 * @param device {@code auto}, {@code cpu} or {@code cuda:N}
 */
public record EmbedderSpec(
    String name,
    Optional<String> network,
    Path weights,
    Scaling scaling,
    InputShape input,
    int threads,
    String device) {

  /** Returns a text that identifies the features: by weights, network and scaling. */
  public String digest() {
    return String.join(
        "\n",
        network.orElse("by the file"),
        Digest.ofAll(weights),
        Arrays.toString(scaling.shift()),
        Arrays.toString(scaling.scale()));
  }
}
