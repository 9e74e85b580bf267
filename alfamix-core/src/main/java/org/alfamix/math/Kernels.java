package org.alfamix.math;

import java.util.Objects;

/**
 * The inner loops of all computations.
 *
 * <p>This class checks arguments and delegates to an implementation that is chosen once: on the
 * Vector API if Java was started with {@code --add-modules=jdk.incubator.vector}, in plain Java
 * otherwise, which is logged as a warning. {@code -Dalfamix.kernels=auto|scalar|vector} overrides
 * the choice. Rounding differs between the two, so the last digits of a result may depend on the
 * kernels. They never depend on the number of threads.
 */
public final class Kernels {
  private static final KernelProvider PROVIDER;

  static {
    KernelSelection selection = KernelSelection.of(System.getProperty("alfamix.kernels", "auto"));
    PROVIDER = selection.provider();
    selection.log(System.getLogger(Kernels.class.getName()));
  }

  private Kernels() {}

  /**
   * Returns the active implementation: {@code scalar} or, for example, {@code vector (512 bits)}.
   */
  public static String description() {
    return PROVIDER.description();
  }

  /** Returns the inner product of two ranges. */
  public static float dot(float[] a, int aOffset, float[] b, int bOffset, int length) {
    Objects.checkFromIndexSize(aOffset, length, a.length);
    Objects.checkFromIndexSize(bOffset, length, b.length);
    return PROVIDER.dot(a, aOffset, b, bOffset, length);
  }

  /** Returns the inner product of two arrays. */
  public static float dot(float[] a, float[] b) {
    checkEqualLengths(a, b);
    return PROVIDER.dot(a, 0, b, 0, a.length);
  }

  /** Returns the squared Euclidean distance of two ranges. */
  public static float squaredDistance(float[] a, int aOffset, float[] b, int bOffset, int length) {
    Objects.checkFromIndexSize(aOffset, length, a.length);
    Objects.checkFromIndexSize(bOffset, length, b.length);
    return PROVIDER.squaredDistance(a, aOffset, b, bOffset, length);
  }

  /** Returns the squared Euclidean distance of two arrays. */
  public static float squaredDistance(float[] a, float[] b) {
    checkEqualLengths(a, b);
    return PROVIDER.squaredDistance(a, 0, b, 0, a.length);
  }

  /** Computes {@code y += factor · x} on two ranges. */
  public static void axpy(
      float factor, float[] x, int xOffset, float[] y, int yOffset, int length) {
    Objects.checkFromIndexSize(xOffset, length, x.length);
    Objects.checkFromIndexSize(yOffset, length, y.length);
    PROVIDER.axpy(factor, x, xOffset, y, yOffset, length);
  }

  /**
   * Computes {@code out = factor · max(0, x + shift)} elementwise; {@code out} may be {@code x}.
   */
  public static void rectify(
      float[] x,
      int xOffset,
      float[] shift,
      int shiftOffset,
      float[] factor,
      int factorOffset,
      float[] out,
      int outOffset,
      int length) {
    Objects.checkFromIndexSize(xOffset, length, x.length);
    Objects.checkFromIndexSize(shiftOffset, length, shift.length);
    Objects.checkFromIndexSize(factorOffset, length, factor.length);
    Objects.checkFromIndexSize(outOffset, length, out.length);
    PROVIDER.rectify(x, xOffset, shift, shiftOffset, factor, factorOffset, out, outOffset, length);
  }

  /** Computes {@code out = factor · x} where {@code gate} is positive, and 0 elsewhere. */
  public static void gate(
      float factor,
      float[] x,
      int xOffset,
      float[] gate,
      int gateOffset,
      float[] out,
      int outOffset,
      int length) {
    Objects.checkFromIndexSize(xOffset, length, x.length);
    Objects.checkFromIndexSize(gateOffset, length, gate.length);
    Objects.checkFromIndexSize(outOffset, length, out.length);
    PROVIDER.gate(factor, x, xOffset, gate, gateOffset, out, outOffset, length);
  }

  /** Returns the squared Euclidean norm of one row. */
  public static float squaredNorm(FloatMatrix matrix, int i) {
    int row = matrix.rowOffset(i);
    return dot(matrix.array(), row, matrix.array(), row, matrix.columns());
  }

  /** Returns the squared Euclidean norm of every row. */
  public static float[] squaredRowNorms(FloatMatrix matrix) {
    float[] norms = new float[matrix.rows()];
    Parallel.forBlocks(
        matrix.rows(),
        1024,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            norms[i] = squaredNorm(matrix, i);
          }
        });
    return norms;
  }

  /** Divides every row by its Euclidean norm, in place. A row of zeros is unchanged. */
  public static void normalizeRows(FloatMatrix matrix) {
    Parallel.forBlocks(
        matrix.rows(),
        1024,
        (from, to) -> {
          for (int i = from; i < to; i++) {
            int row = matrix.rowOffset(i);
            float[] x = matrix.array();
            // The squared norm of a huge or tiny row is outside the range of float, so sum in
            // double.
            double sum = 0;
            for (int d = row; d < row + matrix.columns(); d++) {
              sum += (double) x[d] * x[d];
            }
            if (sum > 0) {
              double factor = 1 / Math.sqrt(sum);
              for (int d = row; d < row + matrix.columns(); d++) {
                x[d] = (float) (x[d] * factor);
              }
            }
          }
        });
  }

  /** Rearranges the rows of a matrix for {@link #dots}; pays off after a handful of uses. */
  public static PackedRows pack(FloatMatrix matrix) {
    return PackedRows.of(matrix, PROVIDER.panelWidth());
  }

  /**
   * Rearranges the columns of a matrix for {@link #dots}: packed row j is column j of the matrix.
   * Cheaper than {@link #pack}, because no values are transposed.
   */
  public static PackedRows packColumns(FloatMatrix matrix) {
    return PackedRows.ofColumns(matrix, PROVIDER.panelWidth());
  }

  /**
   * Computes the inner products of every row of {@code a} with every packed row: entry (i, j) is
   * written to {@code out[i · packed.stride() + j]}.
   */
  public static void dots(FloatMatrix a, PackedRows packed, float[] out) {
    dots(a, packed, 0, packed.rows(), out);
  }

  /**
   * Computes the inner products with only the packed rows {@code from} to {@code to}: entry (i, j)
   * is written to {@code out[i · packed.stride(from, to) + j − from]}. {@code from} must be a
   * multiple of {@code packed.width()}.
   */
  public static void dots(FloatMatrix a, PackedRows packed, int from, int to, float[] out) {
    Objects.checkFromToIndex(from, to, packed.rows());
    if (from % packed.width() != 0) {
      throw new IllegalArgumentException(
          "A range of packed rows must start at a multiple of %d, got %d."
              .formatted(packed.width(), from));
    }
    if (a.columns() != packed.columns()) {
      throw new IllegalArgumentException(
          "Row lengths differ: %d != %d.".formatted(a.columns(), packed.columns()));
    }
    int stride = packed.stride(from, to);
    long needed = (long) a.rows() * stride;
    if (out.length < needed) {
      throw new IllegalArgumentException(
          "The output array must have at least %d elements, got %d.".formatted(needed, out.length));
    }
    PROVIDER.dots(a.array(), a.rowOffset(0), a.rows(), packed, from, stride, out);
  }

  /** Converts a row of logits to probabilities, in place. */
  public static void softmax(float[] logits, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, logits.length);
    softmaxRows(logits, offset, 1, length);
  }

  /** Converts rows of logits to rows of probabilities, in place. */
  public static void softmaxRows(FloatMatrix logits) {
    if (logits.rows() > 0) {
      softmaxRows(logits.array(), logits.rowOffset(0), logits.rows(), logits.columns());
    }
  }

  // The exponentials of all rows are computed in one pass, so that short rows fill vectors, too.
  private static void softmaxRows(float[] x, int offset, int rows, int columns) {
    if (columns == 0) {
      return;
    }
    for (int row = offset; row < offset + rows * columns; row += columns) {
      float max = x[row + PROVIDER.argmax(x, row, columns)];
      for (int i = row; i < row + columns; i++) {
        x[i] -= max;
      }
    }
    PROVIDER.expInPlace(x, offset, rows * columns);
    for (int row = offset; row < offset + rows * columns; row += columns) {
      float sum = 0;
      for (int i = row; i < row + columns; i++) {
        sum += x[i];
      }
      float factor = 1 / sum;
      for (int i = row; i < row + columns; i++) {
        x[i] *= factor;
      }
    }
  }

  /**
   * Writes the entropy −Σ p log p of every row, in nats.
   *
   * @param out receives one value per row, from {@code outOffset} on
   */
  public static void entropyRows(FloatMatrix probabilities, double[] out, int outOffset) {
    int rows = probabilities.rows();
    int columns = probabilities.columns();
    Objects.checkFromIndexSize(outOffset, rows, out.length);
    float[] terms = new float[rows * columns];
    PROVIDER.entropyTerms(probabilities.array(), probabilities.rowOffset(0), rows * columns, terms);
    for (int i = 0; i < rows; i++) {
      double sum = 0;
      for (int k = i * columns; k < (i + 1) * columns; k++) {
        sum += terms[k];
      }
      out[outOffset + i] = sum;
    }
  }

  /** Returns the position of the first largest value, relative to {@code offset}. */
  public static int argmax(float[] x, int offset, int length) {
    Objects.checkFromIndexSize(offset, length, x.length);
    if (length == 0) {
      throw new IllegalArgumentException("argmax needs at least one value, got an empty range.");
    }
    return PROVIDER.argmax(x, offset, length);
  }

  /** Returns whether no value from {@code from} to {@code to} is NaN or infinite. */
  public static boolean allFinite(float[] x, int from, int to) {
    Objects.checkFromToIndex(from, to, x.length);
    return PROVIDER.allFinite(x, from, to);
  }

  /**
   * Writes the positions at which two ranges hold equal values to {@code out}, ascending.
   *
   * @return number of these positions
   */
  public static int equalPositions(
      float[] a, int aOffset, float[] b, int bOffset, int length, int[] out) {
    Objects.checkFromIndexSize(aOffset, length, a.length);
    Objects.checkFromIndexSize(bOffset, length, b.length);
    Objects.checkFromIndexSize(0, length, out.length);
    return PROVIDER.equalPositions(a, aOffset, b, bOffset, length, out);
  }

  /**
   * Performs one step of a search for the minimum of several affine functions: for i from {@code
   * from} to {@code to}, if {@code shift + factor · x[offset + i − from]} is below {@code
   * least[i]}, it replaces {@code least[i]}, and {@code id} replaces {@code arg[i]}.
   */
  public static void lowerInto(
      float[] x,
      int offset,
      float factor,
      float shift,
      float[] least,
      int[] arg,
      int id,
      int from,
      int to) {
    Objects.checkFromToIndex(from, to, least.length);
    Objects.checkFromToIndex(from, to, arg.length);
    Objects.checkFromIndexSize(offset, to - from, x.length);
    PROVIDER.lowerInto(x, offset, factor, shift, least, arg, id, from, to - from);
  }

  /**
   * Returns Σ min(cap[i], shift + factor · x[offset + i − from]), the k-means potential after
   * adding a centre.
   */
  public static float cappedSum(
      float[] x, int offset, float factor, float shift, float[] cap, int from, int to) {
    Objects.checkFromToIndex(from, to, cap.length);
    Objects.checkFromIndexSize(offset, to - from, x.length);
    return PROVIDER.cappedSum(x, offset, factor, shift, cap, from, to - from);
  }

  private static void checkEqualLengths(float[] a, float[] b) {
    if (a.length != b.length) {
      throw new IllegalArgumentException("Lengths differ: " + a.length + " != " + b.length + ".");
    }
  }
}
