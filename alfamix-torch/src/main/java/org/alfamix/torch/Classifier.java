package org.alfamix.torch;

import org.alfamix.data.DataException;
import org.alfamix.dataset.InputShape;
import org.alfamix.model.LinearHead;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.Tensor;

/** A backbone under a linear head, with the tensors of both. */
final class Classifier implements AutoCloseable {
  private final Parameters parameters;
  private final Backbone backbone;
  private final Layers.Linear head;
  private final InputShape input;
  private final int classes;

  /** What one pass gives. */
  record Forward(Tensor embeddings, Tensor logits) {}

  Classifier(Architecture architecture, InputShape input, int classes, Device device, long seed) {
    this.input = input;
    this.classes = classes;
    this.parameters = new Parameters(device, seed);
    this.backbone = architecture.build(parameters, input);
    if (backbone.width() < 1) {
      throw new DataException(
          "%s makes embeddings of %d values of %s, expected at least one."
              .formatted(architecture.name(), backbone.width(), input));
    }
    this.head = new Layers.Linear(parameters, architecture.head(), backbone.width(), classes);
  }

  /**
   * Embeddings and logits of some inputs.
   *
   * @param mask what embeddings are multiplied with before the head, as dropout does; null for none
   */
  Forward forward(Tensor inputs, boolean training, Tensor mask) {
    Tensor embeddings = backbone.embed(inputs, training);
    Tensor logits = head.forward(mask == null ? embeddings : embeddings.mul(mask));
    return new Forward(embeddings, backbone.rectifiesLogits() ? logits.relu() : logits);
  }

  /** What a batch of so many items looks like. */
  long[] batchShape(int items) {
    return input.image()
        ? new long[] {items, input.channels(), input.height(), input.width()}
        : new long[] {items, input.channels()};
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
