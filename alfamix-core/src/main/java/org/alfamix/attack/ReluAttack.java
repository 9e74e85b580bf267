package org.alfamix.attack;

import org.alfamix.internal.Scratch;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;
import org.alfamix.math.Rows;
import org.alfamix.model.LinearHead;
import org.alfamix.model.ReluNetwork;

/**
 * DeepFool on a perceptron with one hidden layer, without returning to its inputs.
 *
 * <p>At hidden values h = V x + c the boundary with class k has the normal Vᵀu, u = (W_k − W_y) ⊙
 * [h &gt; 0]. All steps go along such normals, so the perturbation is Vᵀ times a sum of vectors u,
 * and a step needs only G = V Vᵀ:
 *
 * <pre>  ‖Vᵀu‖² = uᵀG u,   h moves by G u times the length of the step,   ‖perturbation‖² = aᵀG a
 * </pre>
 *
 * <p>where a is the sum of the steps. With 784 inputs and 256 hidden units this is a third of the
 * work of gradients with respect to the inputs. If there are fewer inputs than hidden units, Vᵀu
 * itself is the shorter vector: a is then kept in input space, and h is recomputed. The same path
 * is used for items for which uᵀG u is a small difference of large numbers, because a square loses
 * twice as many digits as its root.
 */
final class ReluAttack {
  private static final int MAX_ITEMS = 64;

  /** Maximum number of coefficients per batch, 16 MB; the products take as much again. */
  private static final int MAX_VALUES = 1 << 22;

  /** A square below this share of its summed terms has too few correct digits. */
  private static final double MIN_SHARE = 0.01;

  private final DeepFool options;
  private final ReluNetwork network;
  private final LinearHead head;
  private final int units;
  private final int classes;
  private final boolean prefersGram;

  /** Rows u ↦ G u, or null without the Gram matrix. */
  private final PackedRows gram;

  /** Approximate magnitude of the summed terms of uᵀG u, per ‖u‖². */
  private final double termsPerSquare;

  /** Rows u ↦ Vᵀu. */
  private final PackedRows transposed;

  ReluAttack(DeepFool options, ReluNetwork network) {
    this(options, network, network.hidden().classes() <= network.inputs());
  }

  /** Creates an attack with an explicit choice of the path, for tests. */
  ReluAttack(DeepFool options, ReluNetwork network, boolean prefersGram) {
    this.options = options;
    this.network = network;
    this.head = centred(network.head());
    this.units = network.hidden().classes();
    this.classes = network.classes();
    this.prefersGram = prefersGram;
    FloatMatrix weights = network.hidden().weights();
    this.transposed = Kernels.packColumns(weights);
    FloatMatrix products = prefersGram ? network.hidden().multiplyWeights(weights) : null;
    this.gram = prefersGram ? Kernels.pack(products) : null;
    this.termsPerSquare = prefersGram ? termsPerSquare(products) : 0;
  }

  /** Removes the mean over all classes, which does not affect predictions but costs digits. */
  private static LinearHead centred(LinearHead head) {
    float[] bias = head.bias();
    double mean = 0;
    for (float value : bias) {
      mean += (double) value / bias.length;
    }
    for (int k = 0; k < bias.length; k++) {
      bias[k] -= (float) mean;
    }
    return new LinearHead(head.weights().minus(head.weights().columnMeans()), bias);
  }

  /**
   * Estimates the terms of uᵀG u. The diagonal entries of G multiply squares of u, which add up.
   * The other entries multiply products of both signs, which may cancel, especially if the hidden
   * units are similar.
   */
  private double termsPerSquare(FloatMatrix products) {
    double diagonal = 0;
    double others = 0;
    for (int i = 0; i < units; i++) {
      for (int j = 0; j < units; j++) {
        double entry = Math.abs(products.get(i, j));
        diagonal += i == j ? entry : 0;
        others += i == j ? 0 : entry;
      }
    }
    // Σ|u_i||u_j| over all pairs is about 0.6 · units · ‖u‖².
    return (diagonal + 0.6 * others) / units;
  }

  Perturbations run(Rows inputs) {
    Perturbations result = Perturbations.of(inputs.rows());
    long perItem = (long) classes * Math.max(units, network.inputs());
    int block = (int) Math.max(1, Math.min(MAX_ITEMS, MAX_VALUES / perItem));
    Parallel.forBlocks(
        inputs.rows(),
        block,
        (from, to) -> {
          FloatMatrix items = inputs.slice(from, to);
          if (!prefersGram || !new Batch(items, from, result, true).run()) {
            new Batch(items, from, result, false).run();
          }
        });
    return result;
  }

  /** A batch of items; items that have changed class are removed, the others continue. */
  private final class Batch {
    private final Perturbations result;

    /** The original items. */
    private final FloatMatrix start;

    private final FloatMatrix hidden;

    /** The sum of the steps, as coefficients of hidden units or in input space. */
    private final FloatMatrix sum;

    private final int[] item;
    private final int[] predicted;

    /** Total length of all steps. */
    private final double[] travelled;

    private FloatMatrix logits;
    private int count;

    /** Whether this batch uses the Gram matrix, and the matrix that multiplies the coefficients. */
    private final boolean byGram;

    private final PackedRows normals;

    /** Whether a square has lost its digits; the batch must then use the other path. */
    private boolean hasLostDigits;

    Batch(FloatMatrix inputs, int first, Perturbations result, boolean byGram) {
      this.byGram = byGram;
      this.normals = byGram ? gram : transposed;
      this.result = result;
      this.start = inputs.copy();
      this.hidden = network.hidden().logits(inputs);
      this.count = inputs.rows();
      this.sum = FloatMatrix.zeros(count, normals.rows());
      this.item = new int[count];
      this.predicted = new int[count];
      this.travelled = new double[count];
      // Predict with the original head: centring might change logits that are exactly equal.
      this.logits = logits(network.head());
      for (int slot = 0; slot < count; slot++) {
        item[slot] = first + slot;
        predicted[slot] = argmax(slot);
      }
      this.logits = logits(head);
    }

    /** Returns false if digits were lost. */
    boolean run() {
      for (int step = 0; count > 0 && step < options.maxSteps() && !hasLostDigits; step++) {
        move();
        updateLogits();
        removeFinished(step == options.maxSteps() - 1);
      }
      return !hasLostDigits;
    }

    private FloatMatrix logits(LinearHead head) {
      FloatMatrix rectified = FloatMatrix.zeros(count, units);
      for (int slot = 0; slot < count; slot++) {
        int row = hidden.rowOffset(slot);
        int at = rectified.rowOffset(slot);
        Kernels.gate(1, hidden.array(), row, hidden.array(), row, rectified.array(), at, units);
      }
      return head.logits(rectified);
    }

    private int argmax(int slot) {
      return Kernels.argmax(logits.array(), logits.rowOffset(slot), classes);
    }

    /** Moves every item to the nearest boundary of the network linearized at the item. */
    private void move() {
      FloatMatrix coefficients = coefficients();
      int stride = normals.stride();
      float[] products = new float[coefficients.rows() * stride];
      Kernels.dots(coefficients, normals, products);
      int kept = 0;
      for (int slot = 0; slot < count; slot++) {
        int y = predicted[slot];
        double least = Double.POSITIVE_INFINITY;
        double norm = 0;
        int nearest = -1;
        for (int k = 0; k < classes; k++) {
          int row = slot * classes + k;
          double squared =
              k == y
                  ? 0
                  : DeepFool.requireFinite(squaredNorm(coefficients, row, products, row * stride));
          hasLostDigits |= byGram && k != y && hasLostDigits(squared, coefficients, row);
          if (squared > 0) {
            double distance =
                Math.abs(logits.get(slot, k) - logits.get(slot, y)) / Math.sqrt(squared);
            if (distance < least) {
              least = distance;
              norm = squared;
              nearest = k;
            }
          }
        }
        if (nearest < 0) {
          result.set(item[slot], squaredPerturbation(slot), y, y);
          continue;
        }
        float own = logits.get(slot, y);
        float other = logits.get(slot, nearest);
        if (DeepFool.isOnBoundary(own, other, least, travelled[slot])) {
          result.set(item[slot], squaredPerturbation(slot), y, nearest);
          continue;
        }
        travelled[slot] += least;
        int row = slot * classes + nearest;
        float length = (float) (least / Math.sqrt(norm) * (1 + options.overshoot()));
        moveSlot(slot, kept);
        step(kept++, length, coefficients, row, products, row * stride);
      }
      count = kept;
    }

    /** Returns the rows u = (W_k − W_y) ⊙ [h &gt; 0] for every item and class. */
    private FloatMatrix coefficients() {
      FloatMatrix result = FloatMatrix.zeros(count * classes, units);
      float[] weights = head.weights().array();
      float[] difference = Scratch.floats(units);
      for (int slot = 0; slot < count; slot++) {
        int own = head.weights().rowOffset(predicted[slot]);
        for (int k = 0; k < classes; k++) {
          if (k != predicted[slot]) {
            int other = head.weights().rowOffset(k);
            for (int d = 0; d < units; d++) {
              difference[d] = weights[other + d] - weights[own + d];
            }
            Kernels.gate(
                1,
                difference,
                0,
                hidden.array(),
                hidden.rowOffset(slot),
                result.array(),
                result.rowOffset(slot * classes + k),
                units);
          }
        }
      }
      return result;
    }

    private boolean hasLostDigits(double squared, FloatMatrix u, int row) {
      return squared < MIN_SHARE * termsPerSquare * Kernels.squaredNorm(u, row);
    }

    private double squaredNorm(FloatMatrix u, int row, float[] products, int product) {
      return byGram
          ? Kernels.dot(u.array(), u.rowOffset(row), products, product, units)
          : Kernels.dot(products, product, products, product, normals.rows());
    }

    private void step(
        int slot, float length, FloatMatrix u, int row, float[] products, int product) {
      int h = hidden.rowOffset(slot);
      int s = sum.rowOffset(slot);
      if (byGram) {
        Kernels.axpy(length, products, product, hidden.array(), h, units);
        Kernels.axpy(length, u.array(), u.rowOffset(row), sum.array(), s, units);
      } else {
        Kernels.axpy(length, products, product, sum.array(), s, normals.rows());
      }
    }

    /**
     * Updates the hidden layer and the logits after a step; with the Gram matrix, the step has
     * already updated the hidden layer.
     */
    private void updateLogits() {
      if (!byGram) {
        FloatMatrix moved = start.slice(0, count).copy();
        Kernels.axpy(1, sum.array(), sum.rowOffset(0), moved.array(), 0, count * moved.columns());
        network.hidden().logits(moved).copyTo(hidden, 0);
      }
      logits = logits(head);
    }

    private void removeFinished(boolean last) {
      int kept = 0;
      for (int slot = 0; slot < count; slot++) {
        int now = argmax(slot);
        if (now != predicted[slot] || last) {
          result.set(item[slot], squaredPerturbation(slot), predicted[slot], now);
        } else {
          if (kept < slot) {
            logits.slice(slot, slot + 1).copyTo(logits, kept);
          }
          moveSlot(slot, kept++);
        }
      }
      count = kept;
    }

    private double squaredPerturbation(int slot) {
      if (!byGram) {
        return Kernels.squaredNorm(sum, slot);
      }
      float[] product = Scratch.floats(normals.stride());
      Kernels.dots(sum.slice(slot, slot + 1), normals, product);
      return Math.max(0, Kernels.dot(sum.array(), sum.rowOffset(slot), product, 0, units));
    }

    private void moveSlot(int slot, int kept) {
      if (kept < slot) {
        start.slice(slot, slot + 1).copyTo(start, kept);
        hidden.slice(slot, slot + 1).copyTo(hidden, kept);
        sum.slice(slot, slot + 1).copyTo(sum, kept);
        item[kept] = item[slot];
        predicted[kept] = predicted[slot];
        travelled[kept] = travelled[slot];
      }
    }
  }
}
