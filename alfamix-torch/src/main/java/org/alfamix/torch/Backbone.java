package org.alfamix.torch;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.alfamix.model.LinearHead;
import org.bytedeco.pytorch.Tensor;

/** A network without its head: it makes embeddings. */
public interface Backbone {

  /** Length of an embedding. */
  int width();

  /**
   * Embeddings of some inputs, one row each.
   *
   * @param inputs items × channels × height × width, or items × columns
   * @param training whether this is a step of the training
   */
  Tensor embed(Tensor inputs, boolean training);

  /**
   * Returns the embeddings of a training step of a network that is random in training, as with
   * dropout.
   *
   * @param random the source of everything random in this step, so that a run can be repeated
   */
  default Tensor embedForTraining(Tensor inputs, RandomGenerator random) {
    return embed(inputs, true);
  }

  /**
   * What the names of the tensors of each block begin with, from the first block to the last, so
   * that the last ones can be trained alone; empty where it has none.
   */
  default List<String> blocks() {
    return List.of();
  }

  /** Whether a training step needs more than one item, as statistics over a batch do. */
  default boolean needsSeveral() {
    return false;
  }

  /**
   * Whether a training step is so little work that several threads would only wait for each other.
   * It is then done by one, and does not depend on how many there are.
   */
  default boolean isSmall() {
    return false;
  }

  /**
   * Whether logits below zero count as zero. Some published programs end their networks so; a class
   * that is ruled out then learns nothing more.
   */
  default boolean rectifiesLogits() {
    return false;
  }

  /**
   * The one hidden layer, where the embedding is relu(V x + c): attacks on its inputs can then do
   * without libtorch.
   */
  default Optional<LinearHead> hiddenLayer() {
    return Optional.empty();
  }
}
