package org.alfamix.studio.web;

/**
 * A proportion and its 95 % confidence interval by Wilson's formula (E. B. Wilson, "Probable
 * inference, the law of succession, and statistical inference", JASA 22, 1927).
 */
record Interval(double share, double from, double to) {
  private static final double Z = 1.959964;

  static Interval of(int hits, int tries) {
    double n = tries;
    double share = hits / n;
    double middle = (share + Z * Z / (2 * n)) / (1 + Z * Z / n);
    double half = Z / (1 + Z * Z / n) * Math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n));
    return new Interval(share, Math.max(0, middle - half), Math.min(1, middle + half));
  }
}
