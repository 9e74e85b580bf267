package org.alfamix.embed;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alfamix.data.DataException;
import org.alfamix.data.Digest;
import org.alfamix.dataset.InputShape;
import org.alfamix.dataset.Scaling;

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
        digest(weights),
        Arrays.toString(scaling.shift()),
        Arrays.toString(scaling.scale()));
  }

  private static String digest(Path weights) {
    if (!Files.isDirectory(weights)) {
      return Digest.of(weights).sha256();
    }
    try (Stream<Path> files = Files.list(weights)) {
      return files
          .filter(Files::isRegularFile)
          .sorted()
          .map(file -> Digest.of(file).sha256())
          .collect(Collectors.joining(","));
    } catch (IOException e) {
      throw DataException.unreadable(weights, e);
    }
  }
}
