package org.alfamix.mix;

/** The length of a step along the gradient of the loss that is taken without an anchor. */
public enum GradientStep {
  /** ε for every item, as in the paper's supplement: δ = ε ∇/‖∇‖. */
  FIXED,
  /** ε ‖z‖: a share of the item's own length. */
  RELATIVE
}
