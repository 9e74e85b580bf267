package org.alfamix.learn.embed;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Scaling;
import org.alfamix.io.Digest;

/**
 * All that an embedder is made from.
 *
 * @param name what people call it by
 * @param network whose weights those are; empty where the file says itself how it computes
 * @param weights a file, or the folder of published weights
 * @param scaling what is done to pixels first
 * @param input what an item looks like
 * @param threads how many threads compute
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

  /** What tells its features from those of others: its weights, network and scaling. */
  public String digest() {
    return String.join(
        "\n",
        network.orElse("by the file"),
        Digest.ofAll(weights),
        Arrays.toString(scaling.shift()),
        Arrays.toString(scaling.scale()));
  }
}
