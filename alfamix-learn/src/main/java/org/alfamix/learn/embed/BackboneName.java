package org.alfamix.learn.embed;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Collectors;
import org.alfamix.datasets.ImageFolder;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Scaling;
import org.alfamix.io.DataException;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.learn.weights.WeightsFinder;

/**
 * What people call a backbone by: the name of published weights, a TorchScript or ONNX file, or
 * {@code NETWORK@WEIGHTS} with weights of either kind, as {@code vit-small:blocks=1@vit-small-dino}
 * or {@code resnet18@mine.pth}.
 *
 * @param network empty where it follows from the weights
 * @param weights a name or a file
 */
public record BackboneName(Optional<String> network, String weights) {

  public static BackboneName parse(String text) {
    int at = text.indexOf('@');
    return at < 0
        ? new BackboneName(Optional.empty(), text)
        : new BackboneName(Optional.of(text.substring(0, at)), text.substring(at + 1));
  }

  /** The published weights it speaks of, if it does. */
  public Optional<PublishedWeights> published() {
    return PublishedWeights.named(weights);
  }

  /** Returns whether it takes clips of videos; other backbones take images, or single frames. */
  public boolean takesClips() {
    return network
        .or(() -> published().map(PublishedWeights::network))
        .filter(PublishedWeights::takesClips)
        .isPresent();
  }

  /**
   * The same wherever a program is started: the path of a file is made absolute.
   *
   * @throws DataException where there is no such file
   */
  public BackboneName lasting() {
    return published().isPresent()
        ? this
        : new BackboneName(network, file().toAbsolutePath().normalize().toString());
  }

  private Path file() {
    try {
      Path file = Path.of(weights);
      if (!weights.isBlank() && Files.isRegularFile(file)) {
        return file;
      }
    } catch (InvalidPathException e) {
      // said below
    }
    throw new DataException(
        "'%s' is neither published weights (%s) nor a file."
            .formatted(
                weights,
                PublishedWeights.all().stream()
                    .map(PublishedWeights::name)
                    .collect(Collectors.joining(", "))));
  }

  /** All that it takes to open it for images of a shape. */
  public EmbedderSpec spec(WeightsFinder finder, InputShape input, int threads, String device) {
    Optional<PublishedWeights> known = published();
    Path file = known.isPresent() ? finder.find(known.get()) : file();
    Optional<String> of = network.or(() -> known.map(PublishedWeights::embedding));
    Scaling scaling = known.map(PublishedWeights::scaling).orElse(ImageFolder.PHOTOS);
    return new EmbedderSpec(toString(), of, file, scaling, input, threads, device);
  }

  @Override
  public String toString() {
    return network.map(name -> name + "@").orElse("") + weights;
  }
}
