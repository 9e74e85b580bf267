package org.alfamix.mix;

/** The length of a step along the gradient of the loss without anchors. */
public enum GradientStep {
  /** ε for every item, as in the supplement of the paper: δ = ε ∇/‖∇‖. */
  FIXED,
  /** ε ‖z‖: relative to the norm of the item. */
  RELATIVE
}
