package org.alfamix.torch;

import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.alfamix.model.LinearHead;
import org.bytedeco.pytorch.Tensor;

/** A network without its head, which computes embeddings. */
public interface Backbone {

  /** Returns the length of an embedding. */
  int width();

  /**
   * Returns the embeddings of some inputs, one row each.
   *
   * @param inputs items × channels × height × width, or items × columns
   * @param training whether this is a training step
   */
  Tensor embed(Tensor inputs, boolean training);

  /**
   * Returns the embeddings in a training step. Networks with randomness in training, such as
   * dropout, override this method.
   *
   * @param random the source of all randomness in this step, so that a run can be reproduced
   */
  default Tensor embedForTraining(Tensor inputs, RandomGenerator random) {
    return embed(inputs, true);
  }

  /**
   * Returns the prefix of the tensor names of each block, from the first block to the last, so that
   * only the last blocks can be trained; empty if the network has no blocks.
   */
  default List<String> blocks() {
    return List.of();
  }

  /** Returns whether a training step needs more than one item, such as for batch statistics. */
  default boolean requiresSeveralItems() {
    return false;
  }

  /**
   * Returns whether a training step is so little work that several threads would only wait for each
   * other. It is then computed by one thread, and its result does not depend on the number of
   * threads.
   */
  default boolean isSmall() {
    return false;
  }

  /**
   * Returns whether negative logits are set to zero. Some published implementations end their
   * networks with such a ReLU; a class whose logit is negative then no longer learns.
   */
  default boolean rectifiesLogits() {
    return false;
  }

  /**
   * Returns the hidden layer if the embedding is relu(V x + c), so that attacks on the inputs do
   * not need libtorch.
   */
  default Optional<LinearHead> hiddenLayer() {
    return Optional.empty();
  }
}
