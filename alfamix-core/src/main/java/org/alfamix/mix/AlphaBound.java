package org.alfamix.mix;

/**
 * How large the ratios α of a random start or a search may be. The closed form has no bound per
 * feature: it divides by (a − z), so that few features may have most of its ‖α‖. The last two
 * bounds compare other ratios with it at the same length. Two differences remain: ratios in closed
 * form may be negative, and the rate of a search is not scaled to the bound.
 */
public enum AlphaBound {
  /** Each ratio is between 0 and the cap, as in the program of the paper's authors. */
  PER_FEATURE,
  /** Ratios are at least 0, and ‖α‖ is at most that of the closed form for the same mix. */
  NORM,
  /** Ratios are at least 0, and ‖α ⊙ (a − z)‖ is at most that of the closed form: ε ‖a − z‖. */
  STEP
}
