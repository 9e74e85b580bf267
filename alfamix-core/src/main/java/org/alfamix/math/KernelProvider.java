package org.alfamix.math;

/**
 * An implementation of the kernels. {@link Kernels} checks all arguments; ranges are given as an
 * offset and a length.
 */
interface KernelProvider {

  /**
   * Returns the name and vector width for logs and provenance, such as {@code vector (512 bits)}.
   */
  String description();

  float dot(float[] a, int aOffset, float[] b, int bOffset, int length);

  float squaredDistance(float[] a, int aOffset, float[] b, int bOffset, int length);

  /** Computes {@code y += factor · x}. */
  void axpy(float factor, float[] x, int xOffset, float[] y, int yOffset, int length);

  /**
   * Computes {@code out = factor · max(0, x + shift)} elementwise; {@code out} may be {@code x}.
   */
  void rectify(
      float[] x,
      int xOffset,
      float[] shift,
      int shiftOffset,
      float[] factor,
      int factorOffset,
      float[] out,
      int outOffset,
      int length);

  /** Computes {@code out = factor · x} where {@code gate} is positive, and 0 elsewhere. */
  void gate(
      float factor,
      float[] x,
      int xOffset,
      float[] gate,
      int gateOffset,
      float[] out,
      int outOffset,
      int length);

  /** Returns the number of packed rows per panel. */
  int panelWidth();

  /**
   * Computes the inner products of {@code rows} consecutive rows of {@code a} with {@code stride}
   * packed rows (whole panels) from {@code firstPacked} on: {@code out[i · stride + j]}. Padding
   * receives zeros.
   */
  void dots(
      float[] a,
      int aOffset,
      int rows,
      PackedRows packed,
      int firstPacked,
      int stride,
      float[] out);

  /** Replaces every x ≤ 0 by exp(x). */
  void expInPlace(float[] x, int offset, int length);

  /** Writes −p log p for each p, and 0 for p = 0. */
  void entropyTerms(float[] p, int offset, int length, float[] out);

  /** Returns the position of the first largest value, relative to {@code offset}. */
  int argmax(float[] x, int offset, int length);

  boolean allFinite(float[] x, int from, int to);

  /** Writes the positions at which two rows hold equal values and returns their number. */
  int equalPositions(float[] a, int aOffset, float[] b, int bOffset, int length, int[] out);

  /**
   * Writes {@code shift + factor · x} to {@code least}, and {@code id} to {@code arg}, wherever it
   * is smaller.
   */
  void lowerInto(
      float[] x,
      int offset,
      float factor,
      float shift,
      float[] least,
      int[] arg,
      int id,
      int from,
      int length);

  /** Returns Σ min(cap, shift + factor · x). */
  float cappedSum(
      float[] x, int offset, float factor, float shift, float[] cap, int from, int length);
}
