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
 * The name of a backbone, as users write it: published weights, a TorchScript or ONNX file, or
 * {@code NETWORK@WEIGHTS} with published weights or a file of tensors, such as {@code
 * vit-small:blocks=1@vit-small-dino} or {@code resnet18@mine.pth}.
 *
 * @param network empty if it follows from the weights
 * @param weights the name of published weights, or a file
 */
public record BackboneName(Optional<String> network, String weights) {

  public static BackboneName parse(String text) {
    int at = text.indexOf('@');
    return at < 0
        ? new BackboneName(Optional.empty(), text)
        : new BackboneName(Optional.of(text.substring(0, at)), text.substring(at + 1));
  }

  /** Returns the published weights of this name; empty if it refers to a file. */
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
   * Returns the same name with an absolute path if it refers to a file, so that it does not depend
   * on the working directory.
   *
   * @throws DataException if the file does not exist
   */
  public BackboneName withAbsolutePath() {
    return published().isPresent() || TextFeatures.isBuiltIn(weights)
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
      // reported below
    }
    throw new DataException(
        "'%s' is neither the name of published weights (%s) nor a file."
            .formatted(
                weights,
                PublishedWeights.all().stream()
                    .map(PublishedWeights::name)
                    .collect(Collectors.joining(", "))));
  }

  /** Returns the settings of an embedder for inputs of a shape, after finding its weights. */
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
