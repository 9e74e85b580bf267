package org.alfamix.math;

import java.util.Arrays;

/**
 * Kernels in plain Java: the fallback on every JVM and the reference for tests of the vector
 * kernels.
 */
final class ScalarKernels implements KernelProvider {
  private static final int WIDTH = 32;

  @Override
  public String description() {
    return "scalar";
  }

  @Override
  public float dot(float[] a, int aOffset, float[] b, int bOffset, int length) {
    // Four independent sums: additions do not wait for each other, and rounding errors are smaller.
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    int d = 0;
    for (; d + 4 <= length; d += 4) {
      s0 += a[aOffset + d] * b[bOffset + d];
      s1 += a[aOffset + d + 1] * b[bOffset + d + 1];
      s2 += a[aOffset + d + 2] * b[bOffset + d + 2];
      s3 += a[aOffset + d + 3] * b[bOffset + d + 3];
    }
    for (; d < length; d++) {
      s0 += a[aOffset + d] * b[bOffset + d];
    }
    return (s0 + s1) + (s2 + s3);
  }

  @Override
  public float squaredDistance(float[] a, int aOffset, float[] b, int bOffset, int length) {
    float s0 = 0;
    float s1 = 0;
    int d = 0;
    for (; d + 2 <= length; d += 2) {
      float x = a[aOffset + d] - b[bOffset + d];
      float y = a[aOffset + d + 1] - b[bOffset + d + 1];
      s0 += x * x;
      s1 += y * y;
    }
    if (d < length) {
      float x = a[aOffset + d] - b[bOffset + d];
      s0 += x * x;
    }
    return s0 + s1;
  }

  @Override
  public void axpy(float factor, float[] x, int xOffset, float[] y, int yOffset, int length) {
    for (int d = 0; d < length; d++) {
      y[yOffset + d] += factor * x[xOffset + d];
    }
  }

  @Override
  public void rectify(
      float[] x,
      int xOffset,
      float[] shift,
      int shiftOffset,
      float[] factor,
      int factorOffset,
      float[] out,
      int outOffset,
      int length) {
    for (int d = 0; d < length; d++) {
      out[outOffset + d] =
          factor[factorOffset + d] * Math.max(0, x[xOffset + d] + shift[shiftOffset + d]);
    }
  }

  @Override
  public void gate(
      float factor,
      float[] x,
      int xOffset,
      float[] gate,
      int gateOffset,
      float[] out,
      int outOffset,
      int length) {
    for (int d = 0; d < length; d++) {
      out[outOffset + d] = gate[gateOffset + d] > 0 ? factor * x[xOffset + d] : 0;
    }
  }

  @Override
  public int panelWidth() {
    return WIDTH;
  }

  @Override
  public void dots(
      float[] a,
      int aOffset,
      int rows,
      PackedRows packed,
      int firstPacked,
      int stride,
      float[] out) {
    float[] panels = packed.panels();
    int columns = packed.columns();
    float[] sums = new float[WIDTH];
    for (int i = 0; i < rows; i++) {
      int row = aOffset + i * columns;
      for (int j = 0; j < stride; j += WIDTH) {
        Arrays.fill(sums, 0);
        int panel = (firstPacked + j) * columns;
        for (int d = 0; d < columns; d++, panel += WIDTH) {
          // The compiler vectorizes this loop, because it has no sum across iterations.
          float value = a[row + d];
          for (int w = 0; w < WIDTH; w++) {
            sums[w] += value * panels[panel + w];
          }
        }
        System.arraycopy(sums, 0, out, i * stride + j, WIDTH);
      }
    }
  }

  @Override
  public void expInPlace(float[] x, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      x[i] = (float) Math.exp(x[i]);
    }
  }

  @Override
  public void entropyTerms(float[] p, int offset, int length, float[] out) {
    for (int i = 0; i < length; i++) {
      float x = p[offset + i];
      out[i] = x > 0 ? (float) (-x * Math.log(x)) : 0;
    }
  }

  @Override
  public int argmax(float[] x, int offset, int length) {
    int best = 0;
    for (int i = 1; i < length; i++) {
      if (x[offset + i] > x[offset + best]) {
        best = i;
      }
    }
    return best;
  }

  @Override
  public boolean allFinite(float[] x, int from, int to) {
    for (int i = from; i < to; i++) {
      if (!Float.isFinite(x[i])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int equalPositions(float[] a, int aOffset, float[] b, int bOffset, int length, int[] out) {
    int count = 0;
    for (int d = 0; d < length; d++) {
      if (a[aOffset + d] == b[bOffset + d]) {
        out[count++] = d;
      }
    }
    return count;
  }

  @Override
  public void lowerInto(
      float[] x,
      int offset,
      float factor,
      float shift,
      float[] least,
      int[] arg,
      int id,
      int from,
      int length) {
    for (int i = 0; i < length; i++) {
      float value = factor * x[offset + i] + shift;
      if (value < least[from + i]) {
        least[from + i] = value;
        arg[from + i] = id;
      }
    }
  }

  @Override
  public float cappedSum(
      float[] x, int offset, float factor, float shift, float[] cap, int from, int length) {
    double sum = 0;
    for (int i = 0; i < length; i++) {
      sum += Math.min(cap[from + i], factor * x[offset + i] + shift);
    }
    return (float) sum;
  }
}
