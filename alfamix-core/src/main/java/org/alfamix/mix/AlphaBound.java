package org.alfamix.mix;

/**
 * The bound on the ratios α of random and projected-gradient mixes. The closed form has no bound
 * per feature: it divides by (a − z), so that a few features may account for most of ‖α‖. The last
 * two bounds allow comparisons with the closed form at equal length. Two differences remain: ratios
 * in closed form may be negative, and the learning rate of projected gradient is not scaled to the
 * bound.
 */
public enum AlphaBound {
  /** Each ratio is between 0 and the cap, as in the code of the paper's authors. */
  PER_FEATURE,
  /** Ratios are at least 0, and ‖α‖ is at most that of the closed form for the same mix. */
  NORM,
  /** Ratios are at least 0, and ‖α ⊙ (a − z)‖ is at most that of the closed form: ε ‖a − z‖. */
  STEP
}
