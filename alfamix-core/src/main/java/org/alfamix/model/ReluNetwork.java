package org.alfamix.model;

import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;

/**
 * A perceptron with one hidden layer: logits W relu(V x + c) + b. The hidden layer is the embedding
 * that {@link #head} maps to logits.
 */
public final class ReluNetwork implements Network {
  private final LinearHead hidden;
  private final LinearHead head;

  /**
   * @param hidden V (hidden units × inputs) and c
   * @param head W (classes × hidden units) and b
   */
  public ReluNetwork(LinearHead hidden, LinearHead head) {
    if (hidden.classes() != head.features()) {
      throw new IllegalArgumentException(
          "The head expects %d features, but the hidden layer has %d units."
              .formatted(head.features(), hidden.classes()));
    }
    this.hidden = hidden;
    this.head = head;
  }

  @Override
  public int inputs() {
    return hidden.features();
  }

  @Override
  public int classes() {
    return head.classes();
  }

  /** Returns the hidden layer, without its ReLU. */
  public LinearHead hidden() {
    return hidden;
  }

  public LinearHead head() {
    return head;
  }

  /** Returns the activations of the hidden layer for the given inputs, after the ReLU. */
  public FloatMatrix embed(FloatMatrix inputs) {
    FloatMatrix result = hidden.logits(inputs);
    for (int at = 0; at < result.array().length; at++) {
      result.array()[at] = Math.max(0, result.array()[at]);
    }
    return result;
  }

  @Override
  public FloatMatrix logits(FloatMatrix inputs) {
    return head.logits(embed(inputs));
  }

  /** Computes the gradient of logit k as Vᵀ(W_k ⊙ [V x + c &gt; 0]). */
  @Override
  public Linearization linearize(FloatMatrix inputs) {
    FloatMatrix embeddings = embed(inputs);
    FloatMatrix open = FloatMatrix.zeros(inputs.rows() * classes(), hidden.classes());
    for (int i = 0; i < inputs.rows(); i++) {
      for (int k = 0; k < classes(); k++) {
        Kernels.gate(
            1,
            head.weights().array(),
            head.weights().rowOffset(k),
            embeddings.array(),
            embeddings.rowOffset(i),
            open.array(),
            open.rowOffset(i * classes() + k),
            hidden.classes());
      }
    }
    return new Linearization(head.logits(embeddings), hidden.combineWeights(open));
  }
}
