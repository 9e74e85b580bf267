package org.alfamix.mix;

import java.util.Arrays;
import java.util.Optional;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;

/**
 * The exact test of {@link LinearFlips} for one item: computes the anchors that flip it, their flip
 * caps and the ratios. Its arrays are reused for the next item.
 */
final class LinearItem {
  /** A smaller rise of a logit, relative to its maximum possible rise, is a rounding error. */
  private static final float MIN_RISE = 2e-6f;

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

  /** Whether the item shares only zeros with any anchor. */
  private boolean onlyZerosMatch;

  /** Slightly reduced distance to the boundary with each class; infinite if there is none. */
  private final float[] lengths;

  private LinearFlips.Boundaries boundaries;

  /** The classes that may still be reached within the best distance so far. */
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

  /** The class that {@link #smallestShare} found. */
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

  /** Loads a row of items. */
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
    boundaries = test.boundariesOf(y);
    for (int j = 0; j < classes; j++) {
      float inverse = boundaries.inverses()[j];
      lengths[j] =
          inverse > 0
              ? ((top - logits[logitsOffset + j]) * inverse - length * boundaries.errors()[j])
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
        // Cancellation: the difference of two large numbers is inaccurate.
        squared = squaredDistance(k);
      }
      distances[k] = (float) Math.sqrt(squared);
    }
  }

  /** Returns the squared distance to an anchor, or to the origin without anchors. */
  private float squaredDistance(int k) {
    if (anchors.isEmpty()) {
      return Kernels.dot(z, zOffset, z, zOffset, features);
    }
    FloatMatrix points = anchors.get();
    return Kernels.squaredDistance(z, zOffset, points.array(), points.rowOffset(k), features);
  }

  /** Returns the flip by the anchor that requires the smallest share, or null if none can flip. */
  Flip flip() {
    resetClasses();
    // The farthest anchor comes first: it moves the item most, so few others can improve on it.
    // Distances and the best share both decrease from anchor to anchor, so a class that is too far
    // for one anchor is too far for all later ones.
    int anchor = Kernels.argmax(distances, 0, distances.length);
    float best = smallestShare(anchor, Float.POSITIVE_INFINITY);
    int flipsTo = reached;
    int count = sortRelevantAnchors(anchor, best);
    for (int at = count - 1; at >= 0; at--) {
      int k = (int) order[at];
      if (nearestBoundary >= best * distances[k]) {
        break;
      }
      float share = smallestShare(k, best);
      if (share < best) {
        best = share;
        anchor = k;
        flipsTo = reached;
      }
    }
    return best < Float.POSITIVE_INFINITY ? flip(best, anchor, flipsTo) : null;
  }

  /** Resets the considered classes to all classes. */
  private void resetClasses() {
    nearCount = classes;
    for (int j = 0; j < classes; j++) {
      near[j] = j;
    }
  }

  private Flip flip(float share, int k, int flipsTo) {
    return new Flip(share * Math.sqrt(features), y, anchors.isEmpty() ? -1 : k, flipsTo);
  }

  /** Returns the flip by each anchor, or null for anchors that cannot flip the item. */
  Flip[] flips() {
    Flip[] result = new Flip[distances.length];
    for (int k = 0; k < result.length; k++) {
      resetClasses();
      float share = smallestShare(k, Float.POSITIVE_INFINITY);
      result[k] = share < Float.POSITIVE_INFINITY ? flip(share, k, reached) : null;
    }
    return result;
  }

  /** Returns the mix with the smallest ‖α‖ at these caps that changes the prediction, or null. */
  Mix mix(double[] caps, boolean divergences, int[][] perAnchor) {
    Mix result = null;
    double largest = divergences ? 0 : Double.NaN;
    double root = Math.sqrt(features);
    double last = caps[caps.length - 1];
    for (int k = 0; k < distances.length; k++) {
      resetClasses();
      double cap = smallestShare(k, Math.nextUp((float) (last / root))) * root;
      if (!(cap < last)) {
        continue;
      }
      int first = caps.length;
      while (first > 0 && cap < caps[first - 1]) {
        first--;
        perAnchor[first][k]++;
      }
      result = Mix.merge(result, ratios(k, reached, caps[first]));
      if (divergences) {
        largest = Math.max(largest, divergence(k, distances[k] * last / root));
      }
    }
    return result == null ? null : result.withDivergence(largest);
  }

  /** Computes the ratios α = τ ĝ ⊘ (a − z) of the mix with an anchor at a cap. */
  private Mix ratios(int k, int flipsTo, double cap) {
    if (anchors.isEmpty()) {
      return new Mix(cap, -1, flipsTo, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
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
    return Mix.of(cap, k, flipsTo, scale * sum, scale * scale * squares, features);
  }

  /** Returns the divergence of the predictions of the item and of its mix at distance τ. */
  private double divergence(int k, double tau) {
    int count = findShared(k);
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
   * Returns the smallest share of the distance to an anchor at which one of the considered classes
   * is reached and sets {@link #reached} to that class; infinite if the share is not below the
   * limit. Classes that are too far are no longer considered.
   */
  private float smallestShare(int k, float limit) {
    float distance = distances[k];
    if (!(distance > 0 && gradientNorm > 0)) {
      return Float.POSITIVE_INFINITY;
    }
    int count = findShared(k);
    boolean fewMove = count > features / 2;
    if (fewMove) {
      markShared(count, true);
    }
    float smallest = limit;
    boolean found = false;
    int kept = 0;
    for (int at = 0; at < nearCount; at++) {
      int j = near[at];
      if (lengths[j] < smallest * distance) {
        near[kept++] = j;
        float share = share(j, count, fewMove, distance);
        if (share < smallest) {
          smallest = share;
          reached = j;
          found = true;
        }
      }
    }
    nearCount = kept;
    if (fewMove) {
      markShared(count, false);
    }
    return found ? smallest : Float.POSITIVE_INFINITY;
  }

  /** Returns the share of the distance to an anchor at which class j is reached, or infinity. */
  private float share(int j, int count, boolean fewMove, float distance) {
    double rise = fewMove ? riseOfMoving(j) : riseOfAll(j) - riseOfShared(j, count);
    if (rise > MIN_RISE * boundaries.distances()[j] * gradientNorm) {
      double gap = Math.max(0, logits[logitsOffset + y] - logits[logitsOffset + j]);
      return (float) (gap * gradientNorm / (rise * distance));
    }
    return Float.POSITIVE_INFINITY;
  }

  /**
   * Writes the anchors that may improve on the best share to {@link #order}, by distance and index.
   * Distances are positive, so their bit patterns sort like their values.
   */
  private int sortRelevantAnchors(int first, float best) {
    int count = 0;
    for (int k = 0; k < distances.length; k++) {
      if (k != first && distances[k] > 0 && nearestBoundary < best * distances[k]) {
        // Of two equally distant anchors the one with the lower index is tried first, so it comes
        // later in the array.
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
   * Writes the features that the item shares with an anchor to {@link #shared}, ascending.
   *
   * @return the number of shared features
   */
  private int findShared(int k) {
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

  /** Returns (W_j − W_y) · g. */
  private double riseOfAll(int j) {
    return step[stepOffset + j] - step[stepOffset + y];
  }

  /** Returns the part of the rise due to shared features, which mixing cannot move. */
  private double riseOfShared(int j, int count) {
    double sum = 0;
    for (int at = 0; at < count; at++) {
      sum += riseOf(j, shared[at]);
    }
    return sum;
  }

  /** Returns the part due to the other features, without cancellation if they are few. */
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
