package org.alfamix.mix;

import java.util.Arrays;
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
  private static final float SLACK = 1e-3f;

  /** A rise of a logit below this share of its largest possible one is a rounding error. */
  private static final float LEAST_RISE = 2e-6f;

  /** Logits that differ by less, relative to what they are sums of, may be equal. */
  private static final float TIE = 1e-6f;

  /** With centred weights; see {@link #original} for those that were given. */
  private final LinearHead head;

  private final LinearHead original;
  private final FloatMatrix anchors;

  /** No anchors but the origin, and no feature is held by it: a step along the gradient. */
  private final boolean adversarial;

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
  private record Boundaries(float[] distances, float[] inverses, float[] errors) {}

  public LinearFlips(LinearHead head, FloatMatrix anchors) {
    this(head, anchors, false);
  }

  /** Without anchors: an item moves along its gradient by ε times its own length. */
  public static LinearFlips adversarial(LinearHead head) {
    return new LinearFlips(head, FloatMatrix.zeros(1, head.features()), true);
  }

  private LinearFlips(LinearHead head, FloatMatrix anchors, boolean adversarial) {
    if (anchors.columns() != head.features()) {
      throw new IllegalArgumentException(
          "Anchors have %d features, the head %d.".formatted(anchors.columns(), head.features()));
    }
    this.original = head;
    this.anchors = anchors;
    this.adversarial = adversarial;
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

  private Boundaries boundariesOf(int y) {
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
      float squared = Math.max(0, norm + farthest) + guard * (norm + largestAnchorNorm);
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

  /** What items are mixed with; empty where they are only moved. */
  Optional<FloatMatrix> anchorPoints() {
    return adversarial ? Optional.empty() : Optional.of(anchors);
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
    void accept(int row, Item item);
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
    Item item = new Item();
    for (int i = 0; i < items.rows(); i++) {
      item.set(items, centred, i, products, i * stride, predicted[i], gradients, steps);
      test.accept(i, item);
    }
  }

  /** The exact test of one item; its arrays are used again for the next. */
  private final class Item {
    private final int[] shared = new int[features];
    private final boolean[] isShared = new boolean[features];
    private final float[] distances = new float[anchorNorms.length];
    private final long[] order = new long[anchorNorms.length];
    private final long[] zeros = new long[(features + 63) / 64];

    /** Whether the item shares no feature with any anchor but zeros. */
    private boolean onlyZerosMatch;

    /**
     * Distance to the boundary with each class, a little shortened; infinite where there is none.
     */
    private final float[] lengths = new float[classes];

    private Boundaries to;

    /** The classes that may still beat the best so far. */
    private final int[] near = new int[classes];

    private int nearCount;

    private float[] z;
    private int zOffset;
    private float[] logits;
    private int logitsOffset;
    private int y;
    private float[] gradient;
    private int gradientOffset;
    private float[] step;
    private int stepOffset;
    private float gradientNorm;
    private float nearestBoundary;

    private float best;
    private int bestAnchor;
    private int bestClass;

    void set(
        FloatMatrix items,
        FloatMatrix centred,
        int i,
        float[] products,
        int row,
        int predicted,
        FloatMatrix gradients,
        FloatMatrix steps) {
      z = items.array();
      zOffset = items.rowOffset(i);
      logits = products;
      logitsOffset = row;
      y = predicted;
      gradient = gradients.array();
      gradientOffset = gradients.rowOffset(i);
      step = steps.array();
      stepOffset = steps.rowOffset(i);
      float squared = Kernels.dot(gradient, gradientOffset, gradient, gradientOffset, features);
      gradientNorm = (float) Math.sqrt(squared);
      onlyZerosMatch = sharing.findZeros(z, zOffset, zeros);
      float squaredLength = Kernels.squaredNorm(centred, i);
      measureBoundaries((float) Math.sqrt(squaredLength));
      measureDistances(squaredLength);
    }

    private void measureBoundaries(float length) {
      nearestBoundary = Float.POSITIVE_INFINITY;
      float top = logits[logitsOffset + y];
      to = boundariesOf(y);
      for (int j = 0; j < classes; j++) {
        float inverse = to.inverses()[j];
        lengths[j] =
            inverse > 0
                ? ((top - logits[logitsOffset + j]) * inverse - length * to.errors()[j])
                    * (1 - SLACK)
                : Float.POSITIVE_INFINITY;
        nearestBoundary = Math.min(nearestBoundary, lengths[j]);
      }
    }

    private void measureDistances(float norm) {
      for (int k = 0; k < distances.length; k++) {
        float sum = norm + anchorNorms[k];
        float squared = sum - 2 * logits[logitsOffset + classes + k];
        if (squared < 0.01f * sum) {
          // The difference of two large numbers has lost its digits.
          squared =
              Kernels.squaredDistance(z, zOffset, anchors.array(), anchors.rowOffset(k), features);
        }
        distances[k] = (float) Math.sqrt(squared);
      }
    }

    Flip flip() {
      best = Float.POSITIVE_INFINITY;
      bestAnchor = -1;
      if (!(gradientNorm > 0)) {
        return null;
      }
      nearCount = classes;
      for (int j = 0; j < classes; j++) {
        near[j] = j;
      }
      // The farthest anchor first: it moves the item most and leaves little for the others to beat.
      int first = Kernels.argmax(distances, 0, distances.length);
      if (distances[first] > 0) {
        tryAnchor(first, distances[first]);
      }
      int count = sortOthersThatMatter(first);
      for (int at = count - 1; at >= 0; at--) {
        int k = (int) order[at];
        if (nearestBoundary >= best * distances[k]) {
          break;
        }
        tryAnchor(k, distances[k]);
      }
      return bestAnchor < 0 ? null : flip(best, bestAnchor, bestClass);
    }

    private Flip flip(float share, int k, int becomes) {
      return new Flip(share * Math.sqrt(features), y, adversarial ? -1 : k, becomes);
    }

    /** By every anchor. */
    Flip[] flips() {
      Flip[] result = new Flip[distances.length];
      for (int k = 0; k < result.length; k++) {
        float share = leastShare(k, Float.POSITIVE_INFINITY);
        result[k] = share < Float.POSITIVE_INFINITY ? flip(share, k, bestClass) : null;
      }
      return result;
    }

    /** The mix of the least ‖α‖ at one of these caps that changes the prediction. */
    Mix mix(double[] caps, boolean divergences, int[][] perAnchor) {
      Mix result = null;
      double largest = divergences ? 0 : Double.NaN;
      double root = Math.sqrt(features);
      double last = caps[caps.length - 1];
      for (int k = 0; k < distances.length; k++) {
        double cap = leastShare(k, Math.nextUp((float) (last / root))) * root;
        if (!(cap < last)) {
          continue;
        }
        int first = caps.length;
        while (first > 0 && cap < caps[first - 1]) {
          first--;
          perAnchor[first][k]++;
        }
        result = Mix.better(result, ratios(k, bestClass, caps[first]));
        if (divergences) {
          largest = Math.max(largest, divergence(k, distances[k] * last / root));
        }
      }
      return result == null ? null : result.withDivergence(largest);
    }

    /** The ratios α = τ ĝ ⊘ (a − z) of the mix with an anchor at a cap. */
    private Mix ratios(int k, int becomes, double cap) {
      if (adversarial) {
        return new Mix(cap, -1, becomes, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
      }
      double sum = 0;
      double squares = 0;
      int a = anchors.rowOffset(k);
      for (int d = 0; d < features; d++) {
        double difference = (double) anchors.array()[a + d] - z[zOffset + d];
        if (difference != 0) {
          double ratio = gradient[gradientOffset + d] / difference;
          sum += ratio;
          squares += ratio * ratio;
        }
      }
      double scale = cap / Math.sqrt(features) * distances[k] / gradientNorm;
      return Mix.of(cap, k, becomes, scale * sum, scale * scale * squares, features);
    }

    /** Between the predictions at the item and at its mix, a step of length τ away. */
    private double divergence(int k, double tau) {
      int count = sharedWithAnchor(k);
      double[] here = new double[classes];
      double[] there = new double[classes];
      for (int j = 0; j < classes; j++) {
        here[j] = logits[logitsOffset + j];
        double rise = j == y ? 0 : riseOfAll(j) - riseOfShared(j, count);
        there[j] = here[j] + tau * rise / gradientNorm;
      }
      return Divergence.symmetric(here, there);
    }

    /**
     * The least share of the distance to an anchor at which a class is reached, where it is below a
     * limit; {@link #bestClass} is that class. Infinite otherwise.
     */
    private float leastShare(int k, float limit) {
      float distance = distances[k];
      if (!(distance > 0 && gradientNorm > 0)) {
        return Float.POSITIVE_INFINITY;
      }
      int count = sharedWithAnchor(k);
      boolean fewMove = count > features / 2;
      if (fewMove) {
        markShared(count, true);
      }
      float least = limit;
      bestClass = -1;
      for (int j = 0; j < classes; j++) {
        if (lengths[j] < least * distance) {
          float share = share(j, count, fewMove, distance);
          if (share < least) {
            least = share;
            bestClass = j;
          }
        }
      }
      if (fewMove) {
        markShared(count, false);
      }
      return bestClass < 0 ? Float.POSITIVE_INFINITY : least;
    }

    /** The share of the distance to an anchor at which class j overtakes; infinite where never. */
    private float share(int j, int count, boolean fewMove, float distance) {
      double rise = fewMove ? riseOfMoving(j) : riseOfAll(j) - riseOfShared(j, count);
      if (rise > LEAST_RISE * to.distances()[j] * gradientNorm) {
        double gap = Math.max(0, logits[logitsOffset + y] - logits[logitsOffset + j]);
        return (float) (gap * gradientNorm / (rise * distance));
      }
      return Float.POSITIVE_INFINITY;
    }

    /**
     * Puts the anchors that may still beat the best into {@link #order}, by distance and number.
     * Distances are positive, so their bits have the order of their values.
     */
    private int sortOthersThatMatter(int first) {
      int count = 0;
      for (int k = 0; k < distances.length; k++) {
        if (k != first && distances[k] > 0 && nearestBoundary < best * distances[k]) {
          // Of two equally far ones the lower number comes first, that is, later in the array.
          long tie = Integer.MAX_VALUE - k;
          order[count++] = (long) Float.floatToRawIntBits(distances[k]) << 32 | tie;
        }
      }
      Arrays.sort(order, 0, count);
      for (int at = 0; at < count; at++) {
        order[at] = Integer.MAX_VALUE - (order[at] & 0xffffffffL);
      }
      return count;
    }

    /**
     * Looks for a class that is reached on the way to anchor {@code k} sooner than the best so far.
     */
    private void tryAnchor(int k, float distance) {
      int count = sharedWithAnchor(k);
      boolean fewMove = count > features / 2;
      if (fewMove) {
        markShared(count, true);
      }
      // Few classes are near enough to matter. What falls out here stays out: from anchor to anchor
      // the distance shrinks, and so does the best.
      int kept = 0;
      for (int at = 0; at < nearCount; at++) {
        int j = near[at];
        if (lengths[j] < best * distance) {
          near[kept++] = j;
          float share = share(j, count, fewMove, distance);
          if (share < best) {
            best = share;
            bestAnchor = k;
            bestClass = j;
          }
        }
      }
      nearCount = kept;
      if (fewMove) {
        markShared(count, false);
      }
    }

    /** Writes the features that the item shares with an anchor to {@link #shared}, ascending. */
    private int sharedWithAnchor(int k) {
      if (adversarial) {
        return 0;
      }
      if (!onlyZerosMatch) {
        return Kernels.equalPositions(
            z, zOffset, anchors.array(), anchors.rowOffset(k), features, shared);
      }
      int count = 0;
      for (int w = 0; w < zeros.length; w++) {
        for (long bits = zeros[w] & sharing.zeros(k, w); bits != 0; bits &= bits - 1) {
          shared[count++] = (w << 6) + Long.numberOfTrailingZeros(bits);
        }
      }
      return count;
    }

    private void markShared(int count, boolean mark) {
      for (int at = 0; at < count; at++) {
        isShared[shared[at]] = mark;
      }
    }

    /** (W_j − W_y) · g. */
    private double riseOfAll(int j) {
      return step[stepOffset + j] - step[stepOffset + y];
    }

    /** The part of it that the shared features contribute, which mixing cannot move. */
    private double riseOfShared(int j, int count) {
      double sum = 0;
      for (int at = 0; at < count; at++) {
        sum += riseOf(j, shared[at]);
      }
      return sum;
    }

    /** The part that the other features contribute; without cancellation where they are few. */
    private double riseOfMoving(int j) {
      double sum = 0;
      for (int d = 0; d < features; d++) {
        if (!isShared[d]) {
          sum += riseOf(j, d);
        }
      }
      return sum;
    }

    private double riseOf(int j, int d) {
      float[] w = head.weights().array();
      float difference = w[head.weights().rowOffset(j) + d] - w[head.weights().rowOffset(y) + d];
      return (double) difference * gradient[gradientOffset + d];
    }
  }
}
