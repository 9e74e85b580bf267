package org.alfamix.math;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorSpecies;

/**
 * The block product on the Vector API.
 *
 * <p>Multiplies several rows of {@code a} by one panel at a time: for each column, one value of
 * each row is broadcast, multiplied by the panel's two vectors and added to sums in registers. Sums
 * across the lanes of a vector, which make row-wise inner products slow, do not occur. The methods
 * are unrolled by hand, because sums in an array would be kept in memory.
 */
final class VectorBlockProduct {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final int LANES = SPECIES.length();

  /** Packed rows per panel. */
  static final int WIDTH = 2 * LANES;

  /**
   * Rows of {@code a} per block. Eight by two vectors need 19 registers: AVX-512 has 32; AVX2 has
   * only 16, so blocks have four rows.
   */
  private static final int HEIGHT = SPECIES.vectorBitSize() >= 512 ? 8 : 4;

  private VectorBlockProduct() {}

  /** See {@link KernelProvider#dots}. */
  static void dots(
      float[] a,
      int aOffset,
      int rows,
      PackedRows packed,
      int firstPacked,
      int stride,
      float[] out) {
    int columns = packed.columns();
    int whole = rows - rows % HEIGHT;
    wholeBlocks(a, aOffset, whole, packed, firstPacked, stride, out);
    if (whole < rows) {
      // The remaining rows are padded with zeros to a block, which avoids another kernel to compile
      // and maintain.
      float[] padded = new float[HEIGHT * columns];
      System.arraycopy(a, aOffset + whole * columns, padded, 0, (rows - whole) * columns);
      float[] result = new float[HEIGHT * stride];
      wholeBlocks(padded, 0, HEIGHT, packed, firstPacked, stride, result);
      System.arraycopy(result, 0, out, whole * stride, (rows - whole) * stride);
    }
  }

  private static void wholeBlocks(
      float[] a,
      int aOffset,
      int rows,
      PackedRows packed,
      int firstPacked,
      int stride,
      float[] out) {
    int columns = packed.columns();
    float[] panels = packed.panels();
    for (int j = 0; j < stride; j += WIDTH) {
      int panel = (firstPacked + j) * columns;
      // The second vector of the last panel may be padding; skipping it speeds up small heads.
      boolean half = packed.rows() - firstPacked - j <= LANES;
      for (int i = 0; i < rows; i += HEIGHT) {
        int from = aOffset + i * columns;
        int to = i * stride + j;
        if (HEIGHT == 4) {
          fourRows(a, from, columns, panels, panel, out, to, stride);
        } else if (half) {
          eightRowsHalfPanel(a, from, columns, panels, panel, out, to, stride);
        } else {
          eightRows(a, from, columns, panels, panel, out, to, stride);
        }
      }
    }
  }

  /** Multiplies eight rows of {@code a} by one panel, with sixteen sums in registers. */
  private static void eightRows(
      float[] a, int a0, int columns, float[] p, int panel, float[] out, int to, int stride) {
    FloatVector s00 = FloatVector.zero(SPECIES);
    FloatVector s01 = FloatVector.zero(SPECIES);
    FloatVector s10 = FloatVector.zero(SPECIES);
    FloatVector s11 = FloatVector.zero(SPECIES);
    FloatVector s20 = FloatVector.zero(SPECIES);
    FloatVector s21 = FloatVector.zero(SPECIES);
    FloatVector s30 = FloatVector.zero(SPECIES);
    FloatVector s31 = FloatVector.zero(SPECIES);
    FloatVector s40 = FloatVector.zero(SPECIES);
    FloatVector s41 = FloatVector.zero(SPECIES);
    FloatVector s50 = FloatVector.zero(SPECIES);
    FloatVector s51 = FloatVector.zero(SPECIES);
    FloatVector s60 = FloatVector.zero(SPECIES);
    FloatVector s61 = FloatVector.zero(SPECIES);
    FloatVector s70 = FloatVector.zero(SPECIES);
    FloatVector s71 = FloatVector.zero(SPECIES);
    int a1 = a0 + columns;
    int a2 = a1 + columns;
    int a3 = a2 + columns;
    int a4 = a3 + columns;
    int a5 = a4 + columns;
    int a6 = a5 + columns;
    int a7 = a6 + columns;
    for (int d = 0; d < columns; d++) {
      FloatVector b0 = load(p, panel + d * WIDTH);
      FloatVector b1 = load(p, panel + d * WIDTH + LANES);
      FloatVector x = FloatVector.broadcast(SPECIES, a[a0 + d]);
      s00 = x.fma(b0, s00);
      s01 = x.fma(b1, s01);
      x = FloatVector.broadcast(SPECIES, a[a1 + d]);
      s10 = x.fma(b0, s10);
      s11 = x.fma(b1, s11);
      x = FloatVector.broadcast(SPECIES, a[a2 + d]);
      s20 = x.fma(b0, s20);
      s21 = x.fma(b1, s21);
      x = FloatVector.broadcast(SPECIES, a[a3 + d]);
      s30 = x.fma(b0, s30);
      s31 = x.fma(b1, s31);
      x = FloatVector.broadcast(SPECIES, a[a4 + d]);
      s40 = x.fma(b0, s40);
      s41 = x.fma(b1, s41);
      x = FloatVector.broadcast(SPECIES, a[a5 + d]);
      s50 = x.fma(b0, s50);
      s51 = x.fma(b1, s51);
      x = FloatVector.broadcast(SPECIES, a[a6 + d]);
      s60 = x.fma(b0, s60);
      s61 = x.fma(b1, s61);
      x = FloatVector.broadcast(SPECIES, a[a7 + d]);
      s70 = x.fma(b0, s70);
      s71 = x.fma(b1, s71);
    }
    s00.intoArray(out, to);
    s01.intoArray(out, to + LANES);
    s10.intoArray(out, to + stride);
    s11.intoArray(out, to + stride + LANES);
    s20.intoArray(out, to + 2 * stride);
    s21.intoArray(out, to + 2 * stride + LANES);
    s30.intoArray(out, to + 3 * stride);
    s31.intoArray(out, to + 3 * stride + LANES);
    s40.intoArray(out, to + 4 * stride);
    s41.intoArray(out, to + 4 * stride + LANES);
    s50.intoArray(out, to + 5 * stride);
    s51.intoArray(out, to + 5 * stride + LANES);
    s60.intoArray(out, to + 6 * stride);
    s61.intoArray(out, to + 6 * stride + LANES);
    s70.intoArray(out, to + 7 * stride);
    s71.intoArray(out, to + 7 * stride + LANES);
  }

  private static void eightRowsHalfPanel(
      float[] a, int a0, int columns, float[] p, int panel, float[] out, int to, int stride) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = FloatVector.zero(SPECIES);
    FloatVector s2 = FloatVector.zero(SPECIES);
    FloatVector s3 = FloatVector.zero(SPECIES);
    FloatVector s4 = FloatVector.zero(SPECIES);
    FloatVector s5 = FloatVector.zero(SPECIES);
    FloatVector s6 = FloatVector.zero(SPECIES);
    FloatVector s7 = FloatVector.zero(SPECIES);
    int a1 = a0 + columns;
    int a2 = a1 + columns;
    int a3 = a2 + columns;
    int a4 = a3 + columns;
    int a5 = a4 + columns;
    int a6 = a5 + columns;
    int a7 = a6 + columns;
    for (int d = 0; d < columns; d++) {
      FloatVector b = load(p, panel + d * WIDTH);
      s0 = FloatVector.broadcast(SPECIES, a[a0 + d]).fma(b, s0);
      s1 = FloatVector.broadcast(SPECIES, a[a1 + d]).fma(b, s1);
      s2 = FloatVector.broadcast(SPECIES, a[a2 + d]).fma(b, s2);
      s3 = FloatVector.broadcast(SPECIES, a[a3 + d]).fma(b, s3);
      s4 = FloatVector.broadcast(SPECIES, a[a4 + d]).fma(b, s4);
      s5 = FloatVector.broadcast(SPECIES, a[a5 + d]).fma(b, s5);
      s6 = FloatVector.broadcast(SPECIES, a[a6 + d]).fma(b, s6);
      s7 = FloatVector.broadcast(SPECIES, a[a7 + d]).fma(b, s7);
    }
    FloatVector padding = FloatVector.zero(SPECIES);
    s0.intoArray(out, to);
    padding.intoArray(out, to + LANES);
    s1.intoArray(out, to + stride);
    padding.intoArray(out, to + stride + LANES);
    s2.intoArray(out, to + 2 * stride);
    padding.intoArray(out, to + 2 * stride + LANES);
    s3.intoArray(out, to + 3 * stride);
    padding.intoArray(out, to + 3 * stride + LANES);
    s4.intoArray(out, to + 4 * stride);
    padding.intoArray(out, to + 4 * stride + LANES);
    s5.intoArray(out, to + 5 * stride);
    padding.intoArray(out, to + 5 * stride + LANES);
    s6.intoArray(out, to + 6 * stride);
    padding.intoArray(out, to + 6 * stride + LANES);
    s7.intoArray(out, to + 7 * stride);
    padding.intoArray(out, to + 7 * stride + LANES);
  }

  private static void fourRows(
      float[] a, int a0, int columns, float[] p, int panel, float[] out, int to, int stride) {
    FloatVector s00 = FloatVector.zero(SPECIES);
    FloatVector s01 = FloatVector.zero(SPECIES);
    FloatVector s10 = FloatVector.zero(SPECIES);
    FloatVector s11 = FloatVector.zero(SPECIES);
    FloatVector s20 = FloatVector.zero(SPECIES);
    FloatVector s21 = FloatVector.zero(SPECIES);
    FloatVector s30 = FloatVector.zero(SPECIES);
    FloatVector s31 = FloatVector.zero(SPECIES);
    int a1 = a0 + columns;
    int a2 = a1 + columns;
    int a3 = a2 + columns;
    for (int d = 0; d < columns; d++) {
      FloatVector b0 = load(p, panel + d * WIDTH);
      FloatVector b1 = load(p, panel + d * WIDTH + LANES);
      FloatVector x = FloatVector.broadcast(SPECIES, a[a0 + d]);
      s00 = x.fma(b0, s00);
      s01 = x.fma(b1, s01);
      x = FloatVector.broadcast(SPECIES, a[a1 + d]);
      s10 = x.fma(b0, s10);
      s11 = x.fma(b1, s11);
      x = FloatVector.broadcast(SPECIES, a[a2 + d]);
      s20 = x.fma(b0, s20);
      s21 = x.fma(b1, s21);
      x = FloatVector.broadcast(SPECIES, a[a3 + d]);
      s30 = x.fma(b0, s30);
      s31 = x.fma(b1, s31);
    }
    s00.intoArray(out, to);
    s01.intoArray(out, to + LANES);
    s10.intoArray(out, to + stride);
    s11.intoArray(out, to + stride + LANES);
    s20.intoArray(out, to + 2 * stride);
    s21.intoArray(out, to + 2 * stride + LANES);
    s30.intoArray(out, to + 3 * stride);
    s31.intoArray(out, to + 3 * stride + LANES);
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(SPECIES, x, at);
  }
}
