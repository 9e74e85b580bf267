package org.alfamix.mix;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Scratch;
import org.alfamix.model.LinearHead;

/**
 * The flip cap of an item under a linear head, exactly and without building a single mixed point.
 *
 * <p>ALFA-Mix moves the embedding z towards the anchor a by α ⊙ (a − z), where α ⊘-divides the loss
 * gradient by (a − z). The two cancel, and what remains is a step along the unit gradient ĝ, except
 * in features m̄ that z and a share, which mixing cannot move:
 *
 * <pre>  z̃ = z + τ · (ĝ ⊙ m),   τ = ε ‖a − z‖,   m_d = [a_d ≠ z_d]</pre>
 *
 * <p>With logits l = W z + b and s = W(ĝ ⊙ m) the predicted class y is lost for good once τ exceeds
 * t = min over j with s_j &gt; s_y of (l_y − l_j) / (s_j − s_y). So each item has one number, its
 * flip cap √D · min over anchors of t / ‖a − z‖, and being a candidate at a cap is a comparison
 * with it.
 *
 * <p>Most items never get that far: s_j − s_y ≤ ‖W_j − W_y‖, so t is at least the distance r(z) to
 * the nearest decision boundary, and √D · r(z) / max ‖a − z‖ bounds the flip cap from below at the
 * cost of two block products.
 */
public final class LinearFlips {
  /** Relative slack of the lower bound, above the rounding errors of its two products. */
  static final float SLACK = 1e-3f;

  /** Logits that differ by less, relative to what they are sums of, may be equal. */
  private static final float TIE = 1e-6f;

  /** With centred weights; see {@link #original} for those that were given. */
  private final LinearHead head;

  private final LinearHead original;
  private final FloatMatrix anchors;

  /**
   * The step along the gradient, where there are no anchors but the origin, which holds no feature;
   * null where there are anchors.
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

  /** By predicted class, computed when it is first predicted: of many classes few may be. */
  private final AtomicReferenceArray<Boundaries> boundaries;

  private final float[] weightNorms;

  /**
   * What the boundaries between a class y and every other class j are like.
   *
   * @param distances ‖W_j − W_y‖; 0 where the two classes have the same weights
   * @param inverses its reciprocal, 0 where there is none
   * @param errors rounding error of an item's distance to the boundary, per unit of its length
   */
  record Boundaries(float[] distances, float[] inverses, float[] errors) {}

  public LinearFlips(LinearHead head, FloatMatrix anchors) {
    this(head, anchors, null);
  }

  /** Without anchors: an item moves along its gradient. */
  public static LinearFlips adversarial(LinearHead head, GradientStep step) {
    return new LinearFlips(head, FloatMatrix.zeros(1, head.features()), step);
  }

  private LinearFlips(LinearHead head, FloatMatrix anchors, GradientStep gradientStep) {
    if (anchors.columns() != head.features()) {
      throw new IllegalArgumentException(
          "Anchors have %d features, the head %d.".formatted(anchors.columns(), head.features()));
    }
    this.original = head;
    this.anchors = anchors;
    this.gradientStep = gradientStep;
    this.sharing = new SharedFeatures(anchors);
    this.classes = head.classes();
    this.features = head.features();
    // A vector added to all weights, or to all items and anchors, changes no prediction. Without
    // the means, numbers are of the size of the differences, which is where digits are wanted.
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

  /** The logits of the centre, which the centred items' logits are added to; in double. */
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

  /** Bounds the relative error of a sum of as many float products as there are features. */
  private float roundingError() {
    return (features + 2) * 0x1p-24f;
  }

  /**
   * Lower bounds of the flip caps of some items; {@link Float#POSITIVE_INFINITY} where nothing can
   * flip.
   *
   * @param out receives one bound per row of {@code items}, from {@code offset} on
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
      // The guard against cancellation only makes the bound smaller.
      float squared =
          gradientStep == GradientStep.FIXED
              ? 1
              : Math.max(0, norm + farthest) + guard * (norm + largestAnchorNorm);
      out[offset + i] =
          squared > 0 ? root * boundary / (float) Math.sqrt(squared) : Float.POSITIVE_INFINITY;
    }
  }

  /** Distance from an item to the nearest boundary of its predicted class, or a little less. */
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

  /** Number of anchors; 1 where there are none and items are only moved. */
  int anchors() {
    return anchors.rows();
  }

  int classes() {
    return classes;
  }

  int features() {
    return features;
  }

  /** The weights, less their mean over the classes. */
  FloatMatrix centredWeights() {
    return head.weights();
  }

  /** Squared norm of every centred anchor. */
  float[] anchorNorms() {
    return anchorNorms;
  }

  SharedFeatures sharing() {
    return sharing;
  }

  /** What items are mixed with; empty where they are only moved. */
  Optional<FloatMatrix> anchorPoints() {
    return gradientStep == null ? Optional.of(anchors) : Optional.empty();
  }

  /** The step that items are moved by; empty where they are mixed with anchors. */
  Optional<GradientStep> gradientStep() {
    return Optional.ofNullable(gradientStep);
  }

  /**
   * The exact flip caps of some items.
   *
   * @return for each row its flip, or null where no anchor can flip it
   */
  public Flip[] flips(FloatMatrix items) {
    Flip[] result = new Flip[items.rows()];
    forEach(items, (i, item) -> result[i] = item.flip());
    return result;
  }

  /**
   * The exact flip cap of some items by each anchor.
   *
   * @return for each row and anchor the flip, or null where that anchor cannot flip the item
   */
  public Flip[][] flipsByAnchor(FloatMatrix items) {
    Flip[][] result = new Flip[items.rows()][];
    forEach(items, (i, item) -> result[i] = item.flips());
    return result;
  }

  /**
   * The mixes at these caps, ascending, that change the prediction of some items.
   *
   * @param divergences whether to tell the largest divergence of those mixes, too
   * @param perAnchor for each cap and anchor, to which the number of changed items is added
   * @return for each row the mix of the least ‖α‖, or null where none changes it
   */
  Mix[] mixes(FloatMatrix items, double[] caps, boolean divergences, int[][] perAnchor) {
    Mix[] result = new Mix[items.rows()];
    forEach(items, (i, item) -> result[i] = item.mix(caps, divergences, perAnchor));
    return result;
  }

  /**
   * The predicted class. Where centred logits are equal but for rounding, the head itself decides
   * in double: of classes that are exactly equal the first one is predicted, as everywhere.
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
    double most = Double.NEGATIVE_INFINITY;
    float[] offset = original.bias();
    for (int j = 0; j < classes; j++) {
      double logit = offset[j];
      for (int d = 0; d < features; d++) {
        logit += (double) original.weights().get(j, d) * items.get(i, d);
      }
      if (logit > most) {
        most = logit;
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
