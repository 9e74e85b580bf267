package org.alfamix.lab.statistics;

/**
 * The distribution of the range of k standard normal variables: the studentized range with infinite
 * degrees of freedom.
 */
final class StudentizedRange {
  private static final int STEPS = 2000;
  private static final double LIMIT = 8;

  private StudentizedRange() {}

  /** Returns the quantile of the range. */
  static double quantile(int k, double probability) {
    double low = 0;
    double high = 20;
    for (int step = 0; step < 60; step++) {
      double middle = (low + high) / 2;
      if (probability(k, middle) < probability) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return (low + high) / 2;
  }

  /** k ∫ φ(z) (Φ(z) − Φ(z − q))^(k−1) dz, by Simpson's rule. */
  private static double probability(int k, double q) {
    double width = 2 * LIMIT / STEPS;
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
      double z = -LIMIT + i * width;
      double density = Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
      double value = density * Math.pow(normal(z) - normal(z - q), k - 1);
      sum += (i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2) * value;
    }
    return k * sum * width / 3;
  }

  /** Φ, by the series that converges everywhere; exact to rounding for |z| up to 8. */
  private static double normal(double z) {
    if (z < -LIMIT) {
      return 0;
    }
    if (z > LIMIT) {
      return 1;
    }
    double term = z;
    double sum = z;
    for (int i = 3; Math.abs(term) > 1e-17 * Math.abs(sum) && i < 1000; i += 2) {
      term *= z * z / i;
      sum += term;
    }
    return 0.5 + sum * Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  }
}
