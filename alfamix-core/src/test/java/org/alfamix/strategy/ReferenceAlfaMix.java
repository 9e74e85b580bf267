package org.alfamix.strategy;

import org.alfamix.math.FloatMatrix;
import org.alfamix.mix.GradientStep;
import org.alfamix.model.LinearHead;

/**
 * The candidate test as described in the paper, in double precision and without shortcuts: computes
 * α, builds the mix and predicts again.
 */
final class ReferenceAlfaMix {
  private final LinearHead head;
  private final FloatMatrix anchors;

  ReferenceAlfaMix(LinearHead head, FloatMatrix anchors) {
    this.head = head;
    this.anchors = anchors;
  }

  boolean flips(float[] z, double cap) {
    int y = predict(z);
    for (int k = 0; k < anchors.rows(); k++) {
      if (predictMixed(z, k, cap) != y) {
        return true;
      }
    }
    return false;
  }

  int predict(float[] z) {
    return argmax(logits(toDoubles(z)));
  }

  int predictMixed(float[] z, int k, double cap) {
    return argmax(logits(mixed(z, k, cap)));
  }

  /** Computes the mixing ratios, one per feature. */
  double[] alpha(float[] z, int k, double cap) {
    double[] gradient = lossGradient(toDoubles(z));
    double gradientNorm = norm(gradient);
    double[] difference = new double[z.length];
    for (int d = 0; d < z.length; d++) {
      difference[d] = (double) anchors.get(k, d) - z[d];
    }
    double epsilon = cap / Math.sqrt(z.length);
    double[] alpha = new double[z.length];
    for (int d = 0; d < z.length; d++) {
      alpha[d] =
          difference[d] == 0 || gradientNorm == 0
              ? 0
              : epsilon * norm(difference) * gradient[d] / gradientNorm / difference[d];
    }
    return alpha;
  }

  private double[] mixed(float[] z, int k, double cap) {
    double[] alpha = alpha(z, k, cap);
    double[] mixed = new double[z.length];
    for (int d = 0; d < z.length; d++) {
      mixed[d] = alpha[d] * anchors.get(k, d) + (1 - alpha[d]) * z[d];
    }
    return mixed;
  }

  /** Predicts an item that moves along its gradient by ε or by ε times its norm. */
  int predictMoved(float[] z, double cap, GradientStep step) {
    double[] gradient = lossGradient(toDoubles(z));
    double gradientNorm = norm(gradient);
    double[] moved = toDoubles(z);
    double unit = step == GradientStep.FIXED ? 1 : norm(moved);
    double length = cap * unit / Math.sqrt(z.length);
    for (int d = 0; d < z.length; d++) {
      moved[d] += gradientNorm == 0 ? 0 : length * gradient[d] / gradientNorm;
    }
    return argmax(logits(moved));
  }

  /** Computes the symmetric KL divergence of the predictions of an item and of its mix. */
  double divergence(float[] z, int k, double cap) {
    double[] p = softmax(logits(toDoubles(z)));
    double[] q = softmax(logits(mixed(z, k, cap)));
    double sum = 0;
    for (int j = 0; j < p.length; j++) {
      sum += 0.5 * p[j] * Math.log(p[j] / q[j]) + 0.5 * q[j] * Math.log(q[j] / p[j]);
    }
    return sum;
  }

  /** Computes the cross-entropy at a class. */
  double loss(double[] z, int label) {
    return -Math.log(softmax(logits(z))[label]);
  }

  private static double[] softmax(double[] logits) {
    double top = logits[argmax(logits)];
    double[] result = new double[logits.length];
    double sum = 0;
    for (int j = 0; j < result.length; j++) {
      result[j] = Math.exp(logits[j] - top);
      sum += result[j];
    }
    for (int j = 0; j < result.length; j++) {
      result[j] /= sum;
    }
    return result;
  }

  /** Computes the gradient of the cross-entropy at the predicted class: Wᵀ(p − e_y). */
  private double[] lossGradient(double[] z) {
    double[] p = softmax(logits(z));
    int y = argmax(p);
    double[] gradient = new double[z.length];
    for (int j = 0; j < p.length; j++) {
      double coefficient = p[j] - (j == y ? 1 : 0);
      for (int d = 0; d < z.length; d++) {
        gradient[d] += coefficient * head.weights().get(j, d);
      }
    }
    return gradient;
  }

  private double[] logits(double[] z) {
    float[] bias = head.bias();
    double[] result = new double[bias.length];
    for (int j = 0; j < bias.length; j++) {
      result[j] = bias[j];
      for (int d = 0; d < z.length; d++) {
        result[j] += head.weights().get(j, d) * z[d];
      }
    }
    return result;
  }

  private static double[] toDoubles(float[] x) {
    double[] result = new double[x.length];
    for (int d = 0; d < x.length; d++) {
      result[d] = x[d];
    }
    return result;
  }

  private static double norm(double[] x) {
    double sum = 0;
    for (double value : x) {
      sum += value * value;
    }
    return Math.sqrt(sum);
  }

  private static int argmax(double[] x) {
    int best = 0;
    for (int j = 1; j < x.length; j++) {
      if (x[j] > x[best]) {
        best = j;
      }
    }
    return best;
  }
}
