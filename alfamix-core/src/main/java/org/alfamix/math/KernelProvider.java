package org.alfamix.math;

/**
 * What an implementation of the kernels must offer. Arguments were checked by {@link Kernels};
 * ranges are given as an offset and a length.
 */
interface KernelProvider {

  /** What it is and how wide, for logs and provenance, as {@code vector (512 bits)}. */
  String description();

  float dot(float[] a, int aOffset, float[] b, int bOffset, int length);

  float squaredDistance(float[] a, int aOffset, float[] b, int bOffset, int length);

  /** {@code y += factor · x}. */
  void axpy(float factor, float[] x, int xOffset, float[] y, int yOffset, int length);

  /** {@code out = factor · max(0, x + shift)}, value by value; {@code out} may be {@code x}. */
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

  /** {@code out = factor · x} where {@code gate} is above 0, and 0 elsewhere. */
  void gate(
      float factor,
      float[] x,
      int xOffset,
      float[] gate,
      int gateOffset,
      float[] out,
      int outOffset,
      int length);

  /** How many packed rows stand side by side in one panel. */
  int panelWidth();

  /**
   * Products of {@code rows} consecutive rows of {@code a} with {@code stride} packed rows (whole
   * panels) from {@code firstPacked} on: {@code out[i · stride + j]}. Padding receives zeros.
   */
  void dots(
      float[] a,
      int aOffset,
      int rows,
      PackedRows packed,
      int firstPacked,
      int stride,
      float[] out);

  /** Replaces x ≤ 0 by exp(x). */
  void expInPlace(float[] x, int offset, int length);

  /** Writes −p log p for each p, with 0 for 0. */
  void entropyTerms(float[] p, int offset, int length, float[] out);

  /** Position (relative to offset) of the first largest value. */
  int argmax(float[] x, int offset, int length);

  boolean allFinite(float[] x, int from, int to);

  /** Writes the positions at which the two rows hold equal values; returns how many there are. */
  int equalPositions(float[] a, int aOffset, float[] b, int bOffset, int length, int[] out);

  /** Where {@code shift + factor · x} is below {@code least}, writes it there and id to arg. */
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

  /** Σ min(cap, shift + factor · x). */
  float cappedSum(
      float[] x, int offset, float factor, float shift, float[] cap, int from, int length);
}
