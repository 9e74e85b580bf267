package org.alfamix.model;

import java.util.Arrays;
import org.alfamix.error.InvalidDataException;
import org.alfamix.internal.Scratch;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;

/** A linear last layer, with logits W z + b. */
public final class LinearHead implements Head {
  private final FloatMatrix weights;
  private final float[] bias;
  private final PackedRows packedWeights;

  /** Packed on first use, as predictions do not need it. */
  private volatile PackedRows packedTransposed;

  /**
   * @param weights classes × features
   * @param bias one value per class
   */
  public LinearHead(FloatMatrix weights, float[] bias) {
    if (weights.rows() < 1) {
      throw new InvalidDataException("head weight: expected at least one class, found none.");
    }
    if (bias.length != weights.rows()) {
      throw new InvalidDataException(
          "head bias: expected %d values, one per class, found %d."
              .formatted(weights.rows(), bias.length));
    }
    this.weights = weights.requireFinite("head weight").copy();
    float[] norms = Kernels.squaredRowNorms(weights);
    for (int k = 0; k < norms.length; k++) {
      if (!Float.isFinite(norms[k])) {
        throw new InvalidDataException(
            "head weight: the squared norm of row %d exceeds the range of float.".formatted(k));
      }
    }
    FloatMatrix.wrap(bias, 1, bias.length).requireFinite("head bias");
    this.bias = bias.clone();
    this.packedWeights = Kernels.pack(weights);
  }

  /** Returns the weights, classes × features. Treat as read-only. */
  public FloatMatrix weights() {
    return weights;
  }

  /** Returns a copy of the bias. */
  public float[] bias() {
    return bias.clone();
  }

  @Override
  public int features() {
    return weights.columns();
  }

  @Override
  public int classes() {
    return weights.rows();
  }

  @Override
  public FloatMatrix logits(FloatMatrix embeddings) {
    FloatMatrix result = multiply(embeddings, packedWeights);
    for (int i = 0; i < result.rows(); i++) {
      Kernels.axpy(1, bias, 0, result.array(), result.rowOffset(i), bias.length);
    }
    return result;
  }

  /**
   * Returns Wᵀ(q − e_y), where q is the softmax over all logits but y. The gradient Wᵀ(p − e_y) is
   * (1 − p_y) times that and underflows to 0 if p_y rounds to 1.
   */
  @Override
  public FloatMatrix lossDirection(FloatMatrix embeddings, int[] labels) {
    FloatMatrix coefficients = logits(embeddings);
    lossCoefficients(coefficients, labels);
    return combineWeights(coefficients);
  }

  /** Returns Wᵀ(p − e_y). */
  @Override
  public FloatMatrix lossGradient(FloatMatrix embeddings, int[] labels) {
    FloatMatrix coefficients = logits(embeddings);
    Kernels.softmaxRows(coefficients);
    float[] p = coefficients.array();
    for (int i = 0; i < coefficients.rows(); i++) {
      // p_y − 1 as the negative sum of the others, which stays accurate if p_y rounds to 1.
      int row = coefficients.rowOffset(i);
      int target = row + labels[i];
      p[target] = 0;
      float others = 0;
      for (int k = row; k < row + coefficients.columns(); k++) {
        others += p[k];
      }
      p[target] = -others;
    }
    return combineWeights(coefficients);
  }

  /** Replaces rows of logits with rows q − e_y, in place. */
  public static void lossCoefficients(FloatMatrix logits, int[] labels) {
    if (logits.columns() == 1) {
      Arrays.fill(logits.array(), logits.rowOffset(0), logits.rowOffset(logits.rows()), 0);
      return; // the prediction of a single class cannot change
    }
    for (int i = 0; i < logits.rows(); i++) {
      logits.set(i, labels[i], Float.NEGATIVE_INFINITY);
    }
    Kernels.softmaxRows(logits);
    for (int i = 0; i < logits.rows(); i++) {
      logits.set(i, labels[i], -1);
    }
  }

  /** Maps every row c to Wᵀc. */
  public FloatMatrix combineWeights(FloatMatrix coefficients) {
    PackedRows transposed = packedTransposed;
    if (transposed == null) {
      transposed = Kernels.packColumns(weights);
      packedTransposed = transposed;
    }
    return multiply(coefficients, transposed);
  }

  /** Maps every row z to W z, without the bias. */
  public FloatMatrix multiplyWeights(FloatMatrix rows) {
    return multiply(rows, packedWeights);
  }

  private static FloatMatrix multiply(FloatMatrix rows, PackedRows packed) {
    float[] padded = Scratch.floats(rows.rows() * packed.stride());
    Kernels.dots(rows, packed, padded);
    FloatMatrix result = FloatMatrix.zeros(rows.rows(), packed.rows());
    for (int i = 0; i < rows.rows(); i++) {
      System.arraycopy(
          padded, i * packed.stride(), result.array(), result.rowOffset(i), packed.rows());
    }
    return result;
  }

  @Override
  public String toString() {
    return "linear head with %d classes and %d features".formatted(classes(), features());
  }
}
