package org.alfamix.mix;

import java.util.Arrays;
import java.util.Optional;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;

/**
 * One item under the exact test of {@link LinearFlips}: how soon which anchor flips it, and by what
 * ratios. Its arrays are used again for the next item.
 */
final class LinearItem {
  /** A rise of a logit below this share of its largest possible one is a rounding error. */
  private static final float LEAST_RISE = 2e-6f;

  private final LinearFlips test;
  private final FloatMatrix weights;
  private final Optional<FloatMatrix> anchors;
  private final SharedFeatures sharing;
  private final float[] anchorNorms;
  private final int features;
  private final int classes;
  private final int[] shared;
  private final boolean[] isShared;
  private final float[] distances;
  private final long[] order;
  private final long[] zeros;

  /** Whether the item shares no feature with any anchor but zeros. */
  private boolean onlyZerosMatch;

  /** Distance to the boundary with each class, a little shortened; infinite where there is none. */
  private final float[] lengths;

  private LinearFlips.Boundaries to;

  /** The classes that may still be reached soon enough. */
  private final int[] near;

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

  /** The class that {@link #leastShare} found. */
  private int reached;

  LinearItem(LinearFlips test) {
    this.test = test;
    this.weights = test.centredWeights();
    this.anchors = test.anchorPoints();
    this.sharing = test.sharing();
    this.anchorNorms = test.anchorNorms();
    this.features = test.features();
    this.classes = test.classes();
    this.shared = new int[features];
    this.isShared = new boolean[features];
    this.distances = new float[anchorNorms.length];
    this.order = new long[anchorNorms.length];
    this.zeros = new long[(features + 63) / 64];
    this.lengths = new float[classes];
    this.near = new int[classes];
  }

  /** Turns to a row of some items. */
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
    to = test.boundariesOf(y);
    for (int j = 0; j < classes; j++) {
      float inverse = to.inverses()[j];
      lengths[j] =
          inverse > 0
              ? ((top - logits[logitsOffset + j]) * inverse - length * to.errors()[j])
                  * (1 - LinearFlips.SLACK)
              : Float.POSITIVE_INFINITY;
      nearestBoundary = Math.min(nearestBoundary, lengths[j]);
    }
  }

  private void measureDistances(float norm) {
    if (test.gradientStep().equals(Optional.of(GradientStep.FIXED))) {
      Arrays.fill(distances, 1);
      return;
    }
    for (int k = 0; k < distances.length; k++) {
      float sum = norm + anchorNorms[k];
      float squared = sum - 2 * logits[logitsOffset + classes + k];
      if (squared < 0.01f * sum) {
        // The difference of two large numbers has lost its digits.
        squared = squaredDistance(k);
      }
      distances[k] = (float) Math.sqrt(squared);
    }
  }

  /** To an anchor; without anchors to the origin. */
  private float squaredDistance(int k) {
    if (anchors.isEmpty()) {
      return Kernels.dot(z, zOffset, z, zOffset, features);
    }
    FloatMatrix points = anchors.get();
    return Kernels.squaredDistance(z, zOffset, points.array(), points.rowOffset(k), features);
  }

  /** By the anchor that takes least of the way, or null where none can do it. */
  Flip flip() {
    consider();
    // The farthest anchor first: it moves the item most and leaves little for the others to beat.
    // From anchor to anchor the distance shrinks, and so does the best: a class that is too far for
    // one anchor is too far for all that follow.
    int anchor = Kernels.argmax(distances, 0, distances.length);
    float best = leastShare(anchor, Float.POSITIVE_INFINITY);
    int becomes = reached;
    int count = sortOthersThatMatter(anchor, best);
    for (int at = count - 1; at >= 0; at--) {
      int k = (int) order[at];
      if (nearestBoundary >= best * distances[k]) {
        break;
      }
      float share = leastShare(k, best);
      if (share < best) {
        best = share;
        anchor = k;
        becomes = reached;
      }
    }
    return best < Float.POSITIVE_INFINITY ? flip(best, anchor, becomes) : null;
  }

  /** Begins with all classes. */
  private void consider() {
    nearCount = classes;
    for (int j = 0; j < classes; j++) {
      near[j] = j;
    }
  }

  private Flip flip(float share, int k, int becomes) {
    return new Flip(share * Math.sqrt(features), y, anchors.isEmpty() ? -1 : k, becomes);
  }

  /** By every anchor. */
  Flip[] flips() {
    Flip[] result = new Flip[distances.length];
    for (int k = 0; k < result.length; k++) {
      consider();
      float share = leastShare(k, Float.POSITIVE_INFINITY);
      result[k] = share < Float.POSITIVE_INFINITY ? flip(share, k, reached) : null;
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
      consider();
      double cap = leastShare(k, Math.nextUp((float) (last / root))) * root;
      if (!(cap < last)) {
        continue;
      }
      int first = caps.length;
      while (first > 0 && cap < caps[first - 1]) {
        first--;
        perAnchor[first][k]++;
      }
      result = Mix.better(result, ratios(k, reached, caps[first]));
      if (divergences) {
        largest = Math.max(largest, divergence(k, distances[k] * last / root));
      }
    }
    return result == null ? null : result.withDivergence(largest);
  }

  /** The ratios α = τ ĝ ⊘ (a − z) of the mix with an anchor at a cap. */
  private Mix ratios(int k, int becomes, double cap) {
    if (anchors.isEmpty()) {
      return new Mix(cap, -1, becomes, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    }
    double sum = 0;
    double squares = 0;
    FloatMatrix points = anchors.get();
    int a = points.rowOffset(k);
    for (int d = 0; d < features; d++) {
      double difference = (double) points.array()[a + d] - z[zOffset + d];
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
   * The least share of the distance to an anchor at which one of the classes under consideration is
   * reached, where it is below a limit; {@link #reached} is that class. Infinite otherwise. Classes
   * that are too far for it are not considered any more.
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
    boolean found = false;
    int kept = 0;
    for (int at = 0; at < nearCount; at++) {
      int j = near[at];
      if (lengths[j] < least * distance) {
        near[kept++] = j;
        float share = share(j, count, fewMove, distance);
        if (share < least) {
          least = share;
          reached = j;
          found = true;
        }
      }
    }
    nearCount = kept;
    if (fewMove) {
      markShared(count, false);
    }
    return found ? least : Float.POSITIVE_INFINITY;
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
  private int sortOthersThatMatter(int first, float best) {
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

  /** Writes the features that the item shares with an anchor to {@link #shared}, ascending. */
  private int sharedWithAnchor(int k) {
    if (anchors.isEmpty()) {
      return 0;
    }
    if (!onlyZerosMatch) {
      FloatMatrix points = anchors.get();
      return Kernels.equalPositions(
          z, zOffset, points.array(), points.rowOffset(k), features, shared);
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
    float[] w = weights.array();
    float difference = w[weights.rowOffset(j) + d] - w[weights.rowOffset(y) + d];
    return (double) difference * gradient[gradientOffset + d];
  }
}
