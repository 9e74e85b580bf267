package org.alfamix.mix;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.alfamix.internal.Scratch;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.model.LinearHead;

/**
 * Computes the exact flip cap of an item under a linear head, without building mixes.
 *
 * <p>ALFA-Mix moves the embedding z towards the anchor a by α ⊙ (a − z), where α is the loss
 * gradient divided (⊘) by (a − z). The two factors cancel. The result is a step along the unit
 * gradient ĝ, except in the features m̄ that z and a share, which mixing cannot move:
 *
 * <pre>  z̃ = z + τ · (ĝ ⊙ m),   τ = ε ‖a − z‖,   m_d = [a_d ≠ z_d]</pre>
 *
 * <p>With logits l = W z + b and s = W(ĝ ⊙ m), the prediction differs from y for every τ above t =
 * min over j with s_j &gt; s_y of (l_y − l_j) / (s_j − s_y). Each item therefore has a single flip
 * cap, √D · min over anchors of t / ‖a − z‖, and is a candidate at a cap if its flip cap is
 * smaller.
 *
 * <p>Most items do not need the exact test: s_j − s_y ≤ ‖W_j − W_y‖, so t is at least the distance
 * r(z) to the nearest decision boundary, and √D · r(z) / max ‖a − z‖ is a lower bound of the flip
 * cap that costs two block products.
 */
public final class LinearFlips {
  /** Relative slack of the lower bound, larger than the rounding errors of its two products. */
  static final float SLACK = 1e-3f;

  /** Logits that differ by less than this, relative to their summands, may be equal. */
  private static final float TIE = 1e-6f;

  /** The head with centred weights; see {@link #original} for the given weights. */
  private final LinearHead head;

  private final LinearHead original;
  private final FloatMatrix anchors;

  /**
   * The step along the gradient if there are no anchors; null if there are. Without anchors, {@link
   * #anchors} contains only the origin, and no feature is kept fixed.
   */
  private final GradientStep gradientStep;

  private final SharedFeatures sharing;
  private final float[] centre;
  private final float[] anchorNorms;
  private final float largestAnchorNorm;
  private final PackedRows weightsAndAnchors;
  private final float[] bias;
  private final int classes;
  private final int features;

  /** By predicted class, computed on first use, as few of many classes may be predicted. */
  private final AtomicReferenceArray<Boundaries> boundaries;

  private final float[] weightNorms;

  /**
   * The boundaries between a class y and every other class j.
   *
   * @param distances ‖W_j − W_y‖; 0 if the two classes have the same weights
   * @param inverses the reciprocals of the distances; 0 if the distance is 0
   * @param errors rounding error of the distance of an item to the boundary, per unit of its norm
   */
  record Boundaries(float[] distances, float[] inverses, float[] errors) {}

  public LinearFlips(LinearHead head, FloatMatrix anchors) {
    this(head, anchors, null);
  }

  /** Returns a test without anchors, in which items move along their gradient. */
  public static LinearFlips adversarial(LinearHead head, GradientStep step) {
    return new LinearFlips(head, FloatMatrix.zeros(1, head.features()), step);
  }

  private LinearFlips(LinearHead head, FloatMatrix anchors, GradientStep gradientStep) {
    if (anchors.columns() != head.features()) {
      throw new IllegalArgumentException(
          "The head expects %d features, but the anchors have %d."
              .formatted(head.features(), anchors.columns()));
    }
    this.original = head;
    this.anchors = anchors;
    this.gradientStep = gradientStep;
    this.sharing = new SharedFeatures(anchors);
    this.classes = head.classes();
    this.features = head.features();
    // Adding a vector to all weights, or to all items and anchors, changes no prediction. Without
    // the means, values have the magnitude of the differences, which preserves their precision.
    float[] meanWeights = head.weights().columnMeans();
    this.head = new LinearHead(head.weights().minus(meanWeights), head.bias());
    this.centre = anchors.columnMeans();
    FloatMatrix centredAnchors = anchors.minus(centre);
    this.bias = biasAt(centre, head, meanWeights);
    this.anchorNorms = Kernels.squaredRowNorms(centredAnchors);
    float largest = 0;
    for (float norm : anchorNorms) {
      largest = Math.max(largest, norm);
    }
    this.largestAnchorNorm = largest;
    FloatMatrix stacked = FloatMatrix.zeros(classes + anchors.rows(), features);
    this.head.weights().copyTo(stacked, 0);
    centredAnchors.copyTo(stacked, classes);
    this.weightsAndAnchors = Kernels.pack(stacked);
    this.boundaries = new AtomicReferenceArray<>(classes);
    this.weightNorms = Kernels.squaredRowNorms(this.head.weights());
  }

  Boundaries boundariesOf(int y) {
    Boundaries known = boundaries.get(y);
    if (known == null) {
      known = measureBoundaries(y);
      boundaries.set(y, known);
    }
    return known;
  }

  private Boundaries measureBoundaries(int y) {
    FloatMatrix weights = head.weights();
    float[] distances = new float[classes];
    float[] inverses = new float[classes];
    float[] errors = new float[classes];
    for (int j = 0; j < classes; j++) {
      float squared =
          Kernels.squaredDistance(
              weights.array(),
              weights.rowOffset(y),
              weights.array(),
              weights.rowOffset(j),
              features);
      distances[j] = (float) Math.sqrt(squared);
      inverses[j] = squared > 0 ? 1 / distances[j] : 0;
      double sum = Math.sqrt(weightNorms[y]) + Math.sqrt(weightNorms[j]);
      errors[j] = (float) (roundingError() * sum * inverses[j]);
    }
    return new Boundaries(distances, inverses, errors);
  }

  /** Returns the logits of the centre, the offset of the logits of centred items; in double. */
  private static float[] biasAt(float[] centre, LinearHead head, float[] meanWeights) {
    float[] bias = head.bias();
    for (int j = 0; j < bias.length; j++) {
      double sum = bias[j];
      for (int d = 0; d < centre.length; d++) {
        sum += ((double) head.weights().get(j, d) - meanWeights[d]) * centre[d];
      }
      bias[j] = (float) sum;
    }
    return bias;
  }

  /** Returns a bound on the relative error of a sum of one float product per feature. */
  private float roundingError() {
    return (features + 2) * 0x1p-24f;
  }

  /**
   * Computes lower bounds of the flip caps of items; {@link Float#POSITIVE_INFINITY} for items that
   * cannot flip.
   *
   * @param out receives one bound per row of {@code items}, starting at {@code offset}
   */
  public void lowerBounds(FloatMatrix items, float[] out, int offset) {
    FloatMatrix centred = items.minus(centre);
    int stride = weightsAndAnchors.stride();
    float[] products = Scratch.floats(items.rows() * stride);
    Kernels.dots(centred, weightsAndAnchors, products);
    float root = (float) Math.sqrt(features) * (1 - SLACK);
    float guard = 4 * roundingError();
    for (int i = 0; i < items.rows(); i++) {
      int row = i * stride;
      Kernels.axpy(1, bias, 0, products, row, classes);
      float norm = Kernels.squaredNorm(centred, i);
      int y = Kernels.argmax(products, row, classes);
      float boundary = boundaryDistance(products, row, y, (float) Math.sqrt(norm));
      float farthest = Float.NEGATIVE_INFINITY;
      for (int k = 0; k < anchorNorms.length; k++) {
        farthest = Math.max(farthest, anchorNorms[k] - 2 * products[row + classes + k]);
      }
      // The guard against cancellation can only lower the bound.
      float squared =
          gradientStep == GradientStep.FIXED
              ? 1
              : Math.max(0, norm + farthest) + guard * (norm + largestAnchorNorm);
      out[offset + i] =
          squared > 0 ? root * boundary / (float) Math.sqrt(squared) : Float.POSITIVE_INFINITY;
    }
  }

  /** Returns the distance of an item to its nearest decision boundary, or slightly less. */
  private float boundaryDistance(float[] logits, int row, int y, float length) {
    float top = logits[row + y];
    float least = Float.POSITIVE_INFINITY;
    Boundaries to = boundariesOf(y);
    float[] inverses = to.inverses();
    float[] errors = to.errors();
    for (int j = 0; j < classes; j++) {
      float inverse = inverses[j];
      if (inverse > 0) {
        least = Math.min(least, (top - logits[row + j]) * inverse - length * errors[j]);
      }
    }
    return Math.max(0, least);
  }

  /** Returns the number of anchors; 1 if there are none and items move along the gradient. */
  int anchors() {
    return anchors.rows();
  }

  int classes() {
    return classes;
  }

  int features() {
    return features;
  }

  /** Returns the weights minus their mean over the classes. */
  FloatMatrix centredWeights() {
    return head.weights();
  }

  /** Returns the squared norm of every centred anchor. */
  float[] anchorNorms() {
    return anchorNorms;
  }

  SharedFeatures sharing() {
    return sharing;
  }

  /** Returns the anchors; empty if items move along the gradient. */
  Optional<FloatMatrix> anchorPoints() {
    return gradientStep == null ? Optional.of(anchors) : Optional.empty();
  }

  /** Returns the step along the gradient; empty if items are mixed with anchors. */
  Optional<GradientStep> gradientStep() {
    return Optional.ofNullable(gradientStep);
  }

  /**
   * Computes the exact flip caps of items.
   *
   * @return for each row its flip, or null if no anchor can flip it
   */
  public Flip[] flips(FloatMatrix items) {
    Flip[] result = new Flip[items.rows()];
    forEach(items, (i, item) -> result[i] = item.flip());
    return result;
  }

  /**
   * Computes the exact flip caps of items for each anchor.
   *
   * @return for each row and anchor the flip, or null if the anchor cannot flip the item
   */
  public Flip[][] flipsByAnchor(FloatMatrix items) {
    Flip[][] result = new Flip[items.rows()][];
    forEach(items, (i, item) -> result[i] = item.flips());
    return result;
  }

  /**
   * Computes the mixes that change the predictions of items.
   *
   * @param caps caps to mix at, ascending
   * @param divergences whether to include the largest divergence of those mixes
   * @param perAnchor counters by cap and anchor; incremented for every changed item
   * @return for each row the mix with the smallest ‖α‖, or null if none changes the prediction
   */
  Mix[] mixes(FloatMatrix items, double[] caps, boolean divergences, int[][] perAnchor) {
    Mix[] result = new Mix[items.rows()];
    forEach(items, (i, item) -> result[i] = item.mix(caps, divergences, perAnchor));
    return result;
  }

  /**
   * Returns the predicted class. If centred logits are equal up to rounding errors, the original
   * head decides in double precision. Of exactly equal classes the first one is predicted, as
   * elsewhere.
   */
  private int predict(FloatMatrix items, int i, float length, float[] products, int row) {
    int y = Kernels.argmax(products, row, classes);
    float top = products[row + y];
    float size = Math.abs(bias[y]) + (float) Math.sqrt(weightNorms[y]) * length;
    float near = top - TIE * size;
    for (int j = 0; j < classes; j++) {
      if (j != y && products[row + j] >= near) {
        return predictExactly(items, i);
      }
    }
    return y;
  }

  private int predictExactly(FloatMatrix items, int i) {
    int best = 0;
    double max = Double.NEGATIVE_INFINITY;
    float[] offset = original.bias();
    for (int j = 0; j < classes; j++) {
      double logit = offset[j];
      for (int d = 0; d < features; d++) {
        logit += (double) original.weights().get(j, d) * items.get(i, d);
      }
      if (logit > max) {
        max = logit;
        best = j;
      }
    }
    return best;
  }

  @FunctionalInterface
  private interface ItemTest {
    void accept(int row, LinearItem item);
  }

  private void forEach(FloatMatrix items, ItemTest test) {
    FloatMatrix centred = items.minus(centre);
    int stride = weightsAndAnchors.stride();
    float[] products = new float[items.rows() * stride];
    Kernels.dots(centred, weightsAndAnchors, products);
    FloatMatrix coefficients = FloatMatrix.zeros(items.rows(), classes);
    int[] predicted = new int[items.rows()];
    for (int i = 0; i < items.rows(); i++) {
      int row = i * stride;
      Kernels.axpy(1, bias, 0, products, row, classes);
      float length = (float) Math.sqrt(Kernels.squaredNorm(centred, i));
      predicted[i] = predict(items, i, length, products, row);
      int at = coefficients.rowOffset(i);
      System.arraycopy(products, row, coefficients.array(), at, classes);
    }
    LinearHead.lossCoefficients(coefficients, predicted);
    FloatMatrix gradients = head.combineWeights(coefficients);
    FloatMatrix steps = head.multiplyWeights(gradients);
    LinearItem item = new LinearItem(this);
    for (int i = 0; i < items.rows(); i++) {
      item.set(items, centred, i, products, i * stride, predicted[i], gradients, steps);
      test.accept(i, item);
    }
  }
}
