package org.alfamix.model;

import java.util.Arrays;
import org.alfamix.error.InvalidDataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Scratch;

/** The linear layer that nearly every network ends in: logits W z + b. */
public final class LinearHead implements Head {
  private final FloatMatrix weights;
  private final float[] bias;
  private final PackedRows packedWeights;

  /** Packed on first use: whoever only predicts does not need it. */
  private volatile PackedRows packedTransposed;

  /**
   * @param weights classes × features
   * @param bias one value per class
   */
  public LinearHead(FloatMatrix weights, float[] bias) {
    if (weights.rows() < 1) {
      throw new InvalidDataException("A head needs at least one class.");
    }
    if (bias.length != weights.rows()) {
      throw new InvalidDataException(
          "The weight has %d classes, the bias %d.".formatted(weights.rows(), bias.length));
    }
    this.weights = weights.requireFinite("head weight").copy();
    float[] norms = Kernels.squaredRowNorms(weights);
    for (int k = 0; k < norms.length; k++) {
      if (!Float.isFinite(norms[k])) {
        throw new InvalidDataException(
            "head weight: row %d is too long, its square exceeds the range of float.".formatted(k));
      }
    }
    FloatMatrix.wrap(bias, 1, bias.length).requireFinite("head bias");
    this.bias = bias.clone();
    this.packedWeights = Kernels.pack(weights);
  }

  /** The weight, classes × features; treat as read-only. */
  public FloatMatrix weights() {
    return weights;
  }

  /** A copy of the bias. */
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
   * Wᵀ(q − e_y), where q is the softmax over the logits other than y. The gradient itself, Wᵀ(p −
   * e_y), is (1 − p_y) times that, and vanishes where p_y rounds to 1.
   */
  @Override
  public FloatMatrix lossDirection(FloatMatrix embeddings, int[] labels) {
    FloatMatrix coefficients = logits(embeddings);
    lossCoefficients(coefficients, labels);
    return combineWeights(coefficients);
  }

  /** Wᵀ(p − e_y). */
  @Override
  public FloatMatrix lossGradient(FloatMatrix embeddings, int[] labels) {
    FloatMatrix coefficients = logits(embeddings);
    Kernels.softmaxRows(coefficients);
    float[] p = coefficients.array();
    for (int i = 0; i < coefficients.rows(); i++) {
      // p_y − 1 as the sum of the others: exact where p_y rounds to 1.
      int row = coefficients.rowOffset(i);
      int own = row + labels[i];
      p[own] = 0;
      float others = 0;
      for (int k = row; k < row + coefficients.columns(); k++) {
        others += p[k];
      }
      p[own] = -others;
    }
    return combineWeights(coefficients);
  }

  /** Turns rows of logits into rows q − e_y, in place. */
  public static void lossCoefficients(FloatMatrix logits, int[] labels) {
    if (logits.columns() == 1) {
      Arrays.fill(logits.array(), logits.rowOffset(0), logits.rowOffset(logits.rows()), 0);
      return; // a single class cannot be lost
    }
    for (int i = 0; i < logits.rows(); i++) {
      logits.set(i, labels[i], Float.NEGATIVE_INFINITY);
    }
    Kernels.softmaxRows(logits);
    for (int i = 0; i < logits.rows(); i++) {
      logits.set(i, labels[i], -1);
    }
  }

  /** Rows c ↦ Wᵀc. */
  public FloatMatrix combineWeights(FloatMatrix coefficients) {
    PackedRows transposed = packedTransposed;
    if (transposed == null) {
      transposed = Kernels.packColumns(weights);
      packedTransposed = transposed;
    }
    return multiply(coefficients, transposed);
  }

  /** Rows z ↦ W z, without the bias. */
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
}
