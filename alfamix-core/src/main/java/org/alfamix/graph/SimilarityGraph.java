package org.alfamix.graph;

import java.util.ArrayList;
import java.util.List;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.PackedRows;
import org.alfamix.math.Parallel;

/**
 * A complete graph of items whose edges are weighted by the cosine similarity of their embeddings.
 *
 * <p>With unit rows X and degrees d = column sums of XXᵀ − I the graph is
 *
 * <pre>  A = (XXᵀ − I) D⁻¹ + I</pre>
 *
 * <p>This N × N matrix is never computed: it is low rank plus diagonal, so A s costs two products
 * with X, and memory grows with N.
 *
 * <p>Nonnegative embeddings have positive degrees. Others may have degrees near or below zero, and
 * dividing by those would flip the signs of edges or make their weights explode. Therefore a degree
 * below a tenth of the Euclidean norm of its column is replaced by that norm, and the column then
 * has norm one. If no similarity is negative, a degree is never below that norm. An item without
 * similarity to others is connected only to itself.
 */
public final class SimilarityGraph {
  /** Number of rows per block. */
  private static final int BLOCK = 512;

  /** Number of rows of XᵀD⁻¹X per task. */
  private static final int TILE = 32;

  /**
   * The norm of a column of similarities is the square root of a float; below this it is rounding
   * error.
   */
  private static final double MIN_SIMILARITY = 1e-3;

  /**
   * Degrees are sums in double precision, but they divide floats, which would lose their digits if
   * degrees were below this.
   */
  private static final double MIN_ACCURATE_DEGREE = 1e-4;

  /** A degree below this share of its column's norm is considered near zero. */
  private static final double MIN_DEGREE = 0.1;

  private final FloatMatrix items;
  private final float[] inverseDegrees;
  private final int raisedDegrees;

  private SimilarityGraph(FloatMatrix items, float[] inverseDegrees, int raisedDegrees) {
    this.items = items;
    this.inverseDegrees = inverseDegrees;
    this.raisedDegrees = raisedDegrees;
  }

  /** Returns the graph of these embeddings, which need not be normalized and are not modified. */
  public static SimilarityGraph of(FloatMatrix embeddings) {
    FloatMatrix items = embeddings.copy();
    Kernels.normalizeRows(items);
    double[] sum = columnSums(items);
    FloatMatrix moments = weightedMoments(items, null);
    PackedRows packed = Kernels.pack(moments);
    float[] inverse = new float[items.rows()];
    boolean[] raised = new boolean[items.rows()];
    Parallel.forBlocks(
        items.rows(),
        BLOCK,
        (from, to) -> {
          FloatMatrix block = items.slice(from, to);
          float[] products = new float[block.rows() * packed.stride()];
          Kernels.dots(block, packed, products);
          for (int i = from; i < to; i++) {
            int row = items.rowOffset(i);
            double degree = 0;
            double squares = 0;
            double own = 0;
            for (int d = 0; d < items.columns(); d++) {
              float x = items.array()[row + d];
              degree += sum[d] * x;
              squares += (double) products[(i - from) * packed.stride() + d] * x;
              own += (double) x * x;
            }
            double norm = Math.sqrt(Math.max(0, squares - own * own));
            degree -= own;
            boolean isolated = norm < MIN_SIMILARITY && degree < MIN_ACCURATE_DEGREE;
            raised[i] = !isolated && degree < MIN_DEGREE * norm;
            inverse[i] = isolated ? 0 : (float) (1 / (raised[i] ? norm : degree));
          }
        });
    int count = 0;
    for (boolean each : raised) {
      count += each ? 1 : 0;
    }
    return new SimilarityGraph(items, inverse, count);
  }

  private static double[] columnSums(FloatMatrix items) {
    double[] sums = new double[items.columns()];
    for (int i = 0; i < items.rows(); i++) {
      int row = items.rowOffset(i);
      for (int d = 0; d < sums.length; d++) {
        sums[d] += items.array()[row + d];
      }
    }
    return sums;
  }

  /**
   * Returns Xᵀ diag(weights) X, or XᵀX if weights is null. Tiles of its rows sum over the items in
   * order.
   */
  private static FloatMatrix weightedMoments(FloatMatrix items, float[] weights) {
    int features = items.columns();
    List<PackedRows> packed = new ArrayList<>();
    List<FloatMatrix> transposed = new ArrayList<>();
    for (int from = 0; from < items.rows(); from += BLOCK) {
      FloatMatrix block = items.slice(from, Math.min(items.rows(), from + BLOCK));
      transposed.add(block.transposed());
      packed.add(Kernels.packColumns(weights == null ? block : scaled(block, weights, from)));
    }
    FloatMatrix result = FloatMatrix.zeros(features, features);
    Parallel.forBlocks(
        features,
        TILE,
        (from, to) -> {
          for (int b = 0; b < packed.size(); b++) {
            PackedRows block = packed.get(b);
            float[] products = new float[(to - from) * block.stride()];
            Kernels.dots(transposed.get(b).slice(from, to), block, products);
            for (int i = from; i < to; i++) {
              Kernels.axpy(
                  1,
                  products,
                  (i - from) * block.stride(),
                  result.array(),
                  result.rowOffset(i),
                  features);
            }
          }
        });
    return result;
  }

  private static FloatMatrix scaled(FloatMatrix block, float[] factors, int first) {
    FloatMatrix result = FloatMatrix.zeros(block.rows(), block.columns());
    for (int i = 0; i < block.rows(); i++) {
      Kernels.axpy(
          factors[first + i],
          block.array(),
          block.rowOffset(i),
          result.array(),
          result.rowOffset(i),
          block.columns());
    }
    return result;
  }

  /** Returns the number of items. */
  public int size() {
    return items.rows();
  }

  /** Returns the unit rows X. */
  FloatMatrix items() {
    return items;
  }

  /** Returns 1/d of every item; 0 for an item without similarity to others. */
  float[] inverseDegrees() {
    return inverseDegrees;
  }

  /** Returns the number of items whose degree was raised because of negative similarities. */
  public int raisedDegrees() {
    return raisedDegrees;
  }

  /**
   * Returns the features of every item's neighbourhood, A X = X (XᵀD⁻¹X) − D⁻¹X + X. A layer of the
   * network is A (X W) = (A X) W, so this is computed once for all steps of training.
   */
  public FloatMatrix neighbourhoods() {
    PackedRows moments = Kernels.pack(weightedMoments(items, inverseDegrees));
    FloatMatrix result = FloatMatrix.zeros(items.rows(), items.columns());
    Parallel.forBlocks(
        items.rows(),
        BLOCK,
        (from, to) -> {
          float[] products = new float[(to - from) * moments.stride()];
          Kernels.dots(items.slice(from, to), moments, products);
          for (int i = from; i < to; i++) {
            int row = result.rowOffset(i);
            System.arraycopy(
                products, (i - from) * moments.stride(), result.array(), row, items.columns());
            Kernels.axpy(
                1 - inverseDegrees[i],
                items.array(),
                items.rowOffset(i),
                result.array(),
                row,
                items.columns());
          }
        });
    return result;
  }
}
