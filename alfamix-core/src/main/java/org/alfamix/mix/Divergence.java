package org.alfamix.mix;

/** The divergence of two predictions. */
final class Divergence {
  private Divergence() {}

  /**
   * Returns the symmetric KL divergence ½ Σ (p − q)(log p − log q) of the softmax of two rows of
   * logits. Computed from logits because a probability that rounds to zero has no logarithm.
   */
  static double symmetric(double[] a, double[] b) {
    double normA = logSum(a);
    double normB = logSum(b);
    double sum = 0;
    for (int k = 0; k < a.length; k++) {
      double logP = a[k] - normA;
      double logQ = b[k] - normB;
      sum += (Math.exp(logP) - Math.exp(logQ)) * (logP - logQ);
    }
    return sum / 2;
  }

  private static double logSum(double[] logits) {
    double top = Double.NEGATIVE_INFINITY;
    for (double logit : logits) {
      top = Math.max(top, logit);
    }
    double sum = 0;
    for (double logit : logits) {
      sum += Math.exp(logit - top);
    }
    return top + Math.log(sum);
  }
}
