package org.alfamix.mix;

import java.util.Optional;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Head;

/**
 * Which predictions change, for a head of any kind and ratios found in any way: build the mixes
 * with every anchor and ask the head. What {@link LinearFlips} reads off a straight line costs a
 * forward pass per anchor, cap and trial here.
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

  /** The same, which also tells how far the probabilities of mixes diverge. */
  public MixedFlips withDivergences() {
    return new MixedFlips(head, anchors, rule, true);
  }

  /** Ratios in closed form. */
  public static MixedFlips closedForm(Head head, FloatMatrix anchors) {
    return new MixedFlips(head, anchors, AlphaRule.closedForm());
  }

  /** No anchors: items are moved along the gradient. */
  public static MixedFlips adversarial(Head head, GradientStep step) {
    return new MixedFlips(head, null, AlphaRule.without(step));
  }

  /** Random ratios. */
  public static MixedFlips random(Head head, FloatMatrix anchors, long seed, AlphaBound bound) {
    return new MixedFlips(head, anchors, AlphaRule.random(seed, bound));
  }

  /** Ratios by projected gradient from random ones. */
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

  /** Number of anchors; 1 where there are none and items are only moved. */
  int anchors() {
    return anchors == null ? 1 : anchors.rows();
  }

  /** What items are mixed with; empty where they are only moved. */
  Optional<FloatMatrix> anchorPoints() {
    return Optional.ofNullable(anchors);
  }

  /** The step that items are moved by; empty where they are mixed with anchors. */
  Optional<GradientStep> gradientStep() {
    return rule instanceof ClosedFormAlpha closed
        ? Optional.ofNullable(closed.step())
        : Optional.empty();
  }

  /**
   * What mixing did to some items at one cap.
   *
   * @param flips for each item its flip by the first anchor that causes one, or null
   * @param mixes the mix of the least ‖α‖ that changes it, or null
   * @param perAnchor how many items each anchor changed
   */
  record Found(Flip[] flips, Mix[] mixes, int[] perAnchor) {}

  /** Which items change their prediction at this cap, each for itself. */
  public Flip[] flips(FloatMatrix items, double cap) {
    return search(items, 0, 0, cap).flips();
  }

  Found search(FloatMatrix items, int first, int round, double cap) {
    FloatMatrix logits = head.logits(items);
    int[] predicted = predict(logits);
    FloatMatrix directions = head.lossDirection(items, predicted);
    Kernels.normalizeRows(directions);
    AlphaRule.Block block = new AlphaRule.Block(items, first, predicted, directions);
    Found found = new Found(new Flip[items.rows()], new Mix[items.rows()], new int[anchors()]);
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
              int becomes = Kernels.argmax(now.array(), now.rowOffset(i), now.columns());
              if (becomes != predicted[i]) {
                changed[i] = true;
                if (found.flips()[i] == null) {
                  found.flips()[i] = new Flip(cap, predicted[i], anchor, becomes);
                }
                ratios.of(i, alpha);
                Mix mix = mix(cap, anchor, becomes, alpha);
                if (divergences) {
                  mix =
                      mix.withDivergence(Divergence.symmetric(widened(logits, i), widened(now, i)));
                }
                found.mixes()[i] = Mix.better(found.mixes()[i], mix);
              }
            }
          });
      for (boolean each : changed) {
        found.perAnchor()[k] += each ? 1 : 0;
      }
    }
    return found;
  }

  private static Mix mix(double cap, int anchor, int becomes, float[] alpha) {
    double sum = 0;
    double squares = 0;
    for (float value : alpha) {
      sum += value;
      squares += (double) value * value;
    }
    return Mix.of(cap, anchor, becomes, sum, squares, alpha.length);
  }

  private static double[] widened(FloatMatrix logits, int row) {
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
