package org.alfamix.model;

import org.alfamix.math.FloatMatrix;

/**
 * A linear layer followed by a ReLU: logits max(0, W z + b). Some published networks end like this,
 * perhaps by oversight: a class whose logit is zero no longer receives a gradient.
 */
public record RectifiedHead(LinearHead linear) implements Head {

  @Override
  public int features() {
    return linear.features();
  }

  @Override
  public int classes() {
    return linear.classes();
  }

  @Override
  public FloatMatrix logits(FloatMatrix embeddings) {
    FloatMatrix logits = linear.logits(embeddings);
    for (int i = 0; i < logits.rows(); i++) {
      for (int k = 0; k < logits.columns(); k++) {
        logits.set(i, k, Math.max(0, logits.get(i, k)));
      }
    }
    return logits;
  }

  /** Returns Wᵀ(p − e_y), restricted to the classes with positive logits. */
  @Override
  public FloatMatrix lossGradient(FloatMatrix embeddings, int[] labels) {
    FloatMatrix logits = logits(embeddings);
    FloatMatrix coefficients = logits.copy();
    LinearHead.lossCoefficients(coefficients, labels);
    for (int i = 0; i < logits.rows(); i++) {
      float complement = 1 - probability(logits, i, labels[i]);
      for (int k = 0; k < logits.columns(); k++) {
        // p − e_y is (1 − p_y) times q − e_y, with q the softmax over the others.
        float coefficient = coefficients.get(i, k) * complement;
        coefficients.set(i, k, logits.get(i, k) > 0 ? coefficient : 0);
      }
    }
    return linear.combineWeights(coefficients);
  }

  private static float probability(FloatMatrix logits, int row, int label) {
    double sum = 0;
    for (int k = 0; k < logits.columns(); k++) {
      sum += Math.exp(logits.get(row, k) - logits.get(row, label));
    }
    return (float) (1 / sum);
  }
}
