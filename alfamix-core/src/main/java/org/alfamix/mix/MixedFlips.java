package org.alfamix.mix;

import java.util.Optional;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Head;

/**
 * Finds the predictions that change, for any head and any rule for the ratios: builds the mixes
 * with every anchor and evaluates the head. Unlike the analytical solution in {@link LinearFlips},
 * this requires a forward pass per anchor, cap and trial.
 */
public final class MixedFlips {
  private final Head head;
  private final FloatMatrix anchors;
  private final AlphaRule rule;

  private final boolean divergences;

  private MixedFlips(Head head, FloatMatrix anchors, AlphaRule rule) {
    this(head, anchors, rule, false);
  }

  private MixedFlips(Head head, FloatMatrix anchors, AlphaRule rule, boolean divergences) {
    this.head = head;
    this.anchors = anchors;
    this.rule = rule;
    this.divergences = divergences;
  }

  /** Returns a copy that also computes the divergence of the probabilities of mixes. */
  public MixedFlips withDivergences() {
    return new MixedFlips(head, anchors, rule, true);
  }

  /** Returns a test with ratios in closed form. */
  public static MixedFlips closedForm(Head head, FloatMatrix anchors) {
    return new MixedFlips(head, anchors, AlphaRule.closedForm());
  }

  /** Returns a test without anchors, in which items move along the gradient. */
  public static MixedFlips adversarial(Head head, GradientStep step) {
    return new MixedFlips(head, null, AlphaRule.adversarial(step));
  }

  /** Returns a test with random ratios. */
  public static MixedFlips random(Head head, FloatMatrix anchors, long seed, AlphaBound bound) {
    return new MixedFlips(head, anchors, AlphaRule.random(seed, bound));
  }

  /** Returns a test with ratios found by projected gradient from a random start. */
  public static MixedFlips projectedGradient(
      Head head,
      FloatMatrix anchors,
      long seed,
      AlphaBound bound,
      int steps,
      double rate,
      double penalty) {
    AlphaRule rule = AlphaRule.projectedGradient(seed, bound, steps, rate, penalty);
    return new MixedFlips(head, anchors, rule);
  }

  /** Returns the number of anchors; 1 if there are none and items move along the gradient. */
  int anchors() {
    return anchors == null ? 1 : anchors.rows();
  }

  /** Returns the anchors; empty if items move along the gradient. */
  Optional<FloatMatrix> anchorPoints() {
    return Optional.ofNullable(anchors);
  }

  /** Returns the step along the gradient; empty if items are mixed with anchors. */
  Optional<GradientStep> gradientStep() {
    return rule instanceof ClosedFormAlpha closed
        ? Optional.ofNullable(closed.step())
        : Optional.empty();
  }

  /**
   * The outcome of mixing a block of items at one cap.
   *
   * @param flips for each item the flip by the first anchor that causes one, or null
   * @param mixes for each item the mix with the smallest ‖α‖ that changes its prediction, or null
   * @param perAnchor number of items whose prediction changed, by anchor
   */
  record Outcome(Flip[] flips, Mix[] mixes, int[] perAnchor) {}

  /** Returns the flips of the given items at a cap, or null for items that do not flip. */
  public Flip[] flips(FloatMatrix items, double cap) {
    return search(items, 0, 0, cap).flips();
  }

  Outcome search(FloatMatrix items, int first, int round, double cap) {
    FloatMatrix logits = head.logits(items);
    int[] predicted = predict(logits);
    FloatMatrix directions = head.lossDirection(items, predicted);
    Kernels.normalizeRows(directions);
    AlphaRule.Block block = new AlphaRule.Block(items, first, predicted, directions);
    Outcome outcome =
        new Outcome(new Flip[items.rows()], new Mix[items.rows()], new int[anchors()]);
    float[] alpha = new float[items.columns()];
    for (int k = 0; k < anchors(); k++) {
      int anchor = anchors == null ? -1 : k;
      boolean[] changed = new boolean[items.rows()];
      rule.search(
          head,
          block,
          k,
          anchors == null ? null : anchors.row(k),
          round,
          cap,
          (mixed, ratios) -> {
            FloatMatrix now = head.logits(mixed);
            for (int i = 0; i < changed.length; i++) {
              int flipsTo = Kernels.argmax(now.array(), now.rowOffset(i), now.columns());
              if (flipsTo != predicted[i]) {
                changed[i] = true;
                if (outcome.flips()[i] == null) {
                  outcome.flips()[i] = new Flip(cap, predicted[i], anchor, flipsTo);
                }
                ratios.writeTo(i, alpha);
                Mix mix = mix(cap, anchor, flipsTo, alpha);
                if (divergences) {
                  mix =
                      mix.withDivergence(
                          Divergence.symmetric(toDoubles(logits, i), toDoubles(now, i)));
                }
                outcome.mixes()[i] = Mix.merge(outcome.mixes()[i], mix);
              }
            }
          });
      for (boolean each : changed) {
        outcome.perAnchor()[k] += each ? 1 : 0;
      }
    }
    return outcome;
  }

  private static Mix mix(double cap, int anchor, int flipsTo, float[] alpha) {
    double sum = 0;
    double squares = 0;
    for (float value : alpha) {
      sum += value;
      squares += (double) value * value;
    }
    return Mix.of(cap, anchor, flipsTo, sum, squares, alpha.length);
  }

  private static double[] toDoubles(FloatMatrix logits, int row) {
    double[] result = new double[logits.columns()];
    for (int k = 0; k < result.length; k++) {
      result[k] = logits.get(row, k);
    }
    return result;
  }

  private static int[] predict(FloatMatrix logits) {
    int[] result = new int[logits.rows()];
    for (int i = 0; i < result.length; i++) {
      result[i] = Kernels.argmax(logits.array(), logits.rowOffset(i), logits.columns());
    }
    return result;
  }
}
