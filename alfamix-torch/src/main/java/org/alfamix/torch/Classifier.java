package org.alfamix.torch;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.alfamix.datasets.InputShape;
import org.alfamix.io.DataException;
import org.alfamix.learn.Tuning;
import org.alfamix.model.LinearHead;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.Tensor;

/** A backbone with a linear head, and the tensors of both. */
final class Classifier implements AutoCloseable {
  private final Parameters parameters;
  private final Backbone backbone;
  private final Layers.Linear head;
  private final Architecture architecture;
  private final InputShape input;
  private final int classes;

  /** The result of a forward pass. */
  record Forward(Tensor embeddings, Tensor logits) {}

  Classifier(Architecture architecture, InputShape input, int classes, Device device, long seed) {
    this.architecture = architecture;
    this.input = input;
    this.classes = classes;
    this.parameters = new Parameters(device, seed);
    this.backbone = architecture.build(parameters, input);
    if (backbone.width() < 1) {
      throw new DataException(
          "%s has embeddings of %d values for %s, expected at least one."
              .formatted(architecture.name(), backbone.width(), input));
    }
    this.head = new Layers.Linear(parameters, architecture.head(), backbone.width(), classes);
  }

  /**
   * Returns the embeddings and logits of some inputs.
   *
   * @param mask factors of the embeddings before the head, for dropout; null for none
   */
  Forward forward(Tensor inputs, boolean training, Tensor mask) {
    return forward(backbone.embed(inputs, training), mask);
  }

  /** Returns the embeddings and logits of a training step; see {@link #forward}. */
  Forward forwardForTraining(Tensor inputs, RandomGenerator random, Tensor mask) {
    return forward(backbone.embedForTraining(inputs, random), mask);
  }

  private Forward forward(Tensor embeddings, Tensor mask) {
    Tensor logits = head.forward(mask == null ? embeddings : embeddings.mul(mask));
    return new Forward(embeddings, backbone.rectifiesLogits() ? logits.relu() : logits);
  }

  /** Returns the shape of a batch. */
  long[] batchShape(int items) {
    return Tensors.batchShape(input, items);
  }

  /** Freezes all tensors except those of a part and of the head. */
  void tune(Tuning tuning) {
    switch (tuning.part()) {
      case ALL -> {}
      case FROZEN -> freezeBackbone(name -> true);
      case NORMS -> {
        if (parameters.shapes().keySet().stream().noneMatch(parameters::isNorm)) {
          throw new DataException(
              "%s has no normalization layers to tune.".formatted(architecture.name()));
        }
        freezeBackbone(name -> !parameters.isNorm(name));
      }
      case LAST -> freezeBackbone(tensorsBefore(tuning.blocks())::contains);
    }
  }

  private void freezeBackbone(Predicate<String> which) {
    parameters.freeze(name -> !name.startsWith(architecture.head() + ".") && which.test(name));
  }

  /** Returns the tensors that were registered before those of the last blocks. */
  private Set<String> tensorsBefore(int last) {
    List<String> blocks = backbone.blocks();
    if (last > blocks.size()) {
      throw new DataException(
          blocks.isEmpty()
              ? "%s has no blocks to tune.".formatted(architecture.name())
              : "%s has only %d blocks; the last %d cannot be tuned."
                  .formatted(architecture.name(), blocks.size(), last));
    }
    String first = blocks.get(blocks.size() - last) + ".";
    Set<String> before = new HashSet<>();
    for (String name : parameters.shapes().keySet()) {
      if (name.startsWith(first)) {
        return before;
      }
      before.add(name);
    }
    throw new IllegalStateException("No tensor matches " + first + "*.");
  }

  Architecture architecture() {
    return architecture;
  }

  Parameters parameters() {
    return parameters;
  }

  Backbone backbone() {
    return backbone;
  }

  InputShape input() {
    return input;
  }

  int classes() {
    return classes;
  }

  int width() {
    return backbone.width();
  }

  LinearHead head() {
    return head.toHead();
  }

  @Override
  public void close() {
    parameters.close();
  }
}
