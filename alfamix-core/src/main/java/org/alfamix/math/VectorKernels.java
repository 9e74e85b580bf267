package org.alfamix.math;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Kernels on the Vector API, with the widest vectors of the machine.
 *
 * <p>Loaded only if the module {@code jdk.incubator.vector} is present. Methods keep every vector
 * in a local variable: one that escapes into a field or an array would be allocated as an object.
 */
final class VectorKernels implements KernelProvider {
  private static final VectorSpecies<Float> SPECIES = FloatVector.SPECIES_PREFERRED;
  private static final VectorSpecies<Integer> INTS =
      VectorSpecies.of(int.class, SPECIES.vectorShape());
  private static final int LANES = SPECIES.length();

  @Override
  public String description() {
    return "vector (" + SPECIES.vectorBitSize() + " bits)";
  }

  @Override
  public float dot(float[] a, int aOffset, float[] b, int bOffset, int length) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    FloatVector s2 = s0;
    FloatVector s3 = s0;
    int d = 0;
    for (; d <= length - 4 * LANES; d += 4 * LANES) {
      int x = aOffset + d;
      int y = bOffset + d;
      s0 = load(a, x).fma(load(b, y), s0);
      s1 = load(a, x + LANES).fma(load(b, y + LANES), s1);
      s2 = load(a, x + 2 * LANES).fma(load(b, y + 2 * LANES), s2);
      s3 = load(a, x + 3 * LANES).fma(load(b, y + 3 * LANES), s3);
    }
    for (; d <= length - LANES; d += LANES) {
      s0 = load(a, aOffset + d).fma(load(b, bOffset + d), s0);
    }
    float sum = s0.add(s1).add(s2.add(s3)).reduceLanes(VectorOperators.ADD);
    for (; d < length; d++) {
      sum += a[aOffset + d] * b[bOffset + d];
    }
    return sum;
  }

  @Override
  public float squaredDistance(float[] a, int aOffset, float[] b, int bOffset, int length) {
    FloatVector s0 = FloatVector.zero(SPECIES);
    FloatVector s1 = s0;
    int d = 0;
    for (; d <= length - 2 * LANES; d += 2 * LANES) {
      FloatVector x = load(a, aOffset + d).sub(load(b, bOffset + d));
      FloatVector y = load(a, aOffset + d + LANES).sub(load(b, bOffset + d + LANES));
      s0 = x.fma(x, s0);
      s1 = y.fma(y, s1);
    }
    for (; d <= length - LANES; d += LANES) {
      FloatVector x = load(a, aOffset + d).sub(load(b, bOffset + d));
      s0 = x.fma(x, s0);
    }
    float sum = s0.add(s1).reduceLanes(VectorOperators.ADD);
    for (; d < length; d++) {
      float x = a[aOffset + d] - b[bOffset + d];
      sum += x * x;
    }
    return sum;
  }

  @Override
  public void axpy(float factor, float[] x, int xOffset, float[] y, int yOffset, int length) {
    int d = 0;
    for (; d <= length - LANES; d += LANES) {
      load(x, xOffset + d).mul(factor).add(load(y, yOffset + d)).intoArray(y, yOffset + d);
    }
    for (; d < length; d++) {
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
    int d = 0;
    for (; d <= length - LANES; d += LANES) {
      FloatVector sum = load(x, xOffset + d).add(load(shift, shiftOffset + d));
      sum.max(0).mul(load(factor, factorOffset + d)).intoArray(out, outOffset + d);
    }
    for (; d < length; d++) {
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
    FloatVector zero = FloatVector.zero(SPECIES);
    int d = 0;
    for (; d <= length - LANES; d += LANES) {
      VectorMask<Float> open = load(gate, gateOffset + d).compare(VectorOperators.GT, 0);
      zero.blend(load(x, xOffset + d).mul(factor), open).intoArray(out, outOffset + d);
    }
    for (; d < length; d++) {
      out[outOffset + d] = gate[gateOffset + d] > 0 ? factor * x[xOffset + d] : 0;
    }
  }

  @Override
  public int panelWidth() {
    return VectorBlockProduct.WIDTH;
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
    VectorBlockProduct.dots(a, aOffset, rows, packed, firstPacked, stride, out);
  }

  private static FloatVector load(float[] x, int at) {
    return FloatVector.fromArray(SPECIES, x, at);
  }

  @Override
  public void expInPlace(float[] x, int offset, int length) {
    int i = offset;
    for (; i <= offset + length - LANES; i += LANES) {
      exp(load(x, i)).intoArray(x, i);
    }
    for (; i < offset + length; i++) {
      x[i] = exp(x[i]);
    }
  }

  /**
   * Computes e^x for x ≤ 0 as 2^n · e^r with r in ±½ ln 2 and a Taylor polynomial of degree 7
   * (error below two units in the last place); results below the smallest normal float become 0.
   */
  private static FloatVector exp(FloatVector x) {
    FloatVector bounded = x.max(-87.3f);
    // Adding and subtracting 1.5·2^23 rounds to the nearest integer.
    FloatVector n = bounded.mul(1.44269504f).add(12582912f).sub(12582912f);
    FloatVector r = n.mul(-0.693359375f).add(bounded).add(n.mul(2.12194440e-4f));
    FloatVector p = r.mul(1f / 5040).add(1f / 720);
    p = p.mul(r).add(1f / 120);
    p = p.mul(r).add(1f / 24);
    p = p.mul(r).add(1f / 6);
    p = p.mul(r).add(0.5f);
    p = p.mul(r).add(1f).mul(r).add(1f);
    IntVector exponent =
        ((IntVector) n.convertShape(VectorOperators.F2I, INTS, 0))
            .add(127)
            .lanewise(VectorOperators.LSHL, 23);
    FloatVector scaled = p.mul(exponent.reinterpretAsFloats());
    return scaled.blend(0f, x.compare(VectorOperators.LT, -87.3f));
  }

  /**
   * Computes e^x with the same operations as the vector version, so that equal inputs have equal
   * results at any position.
   */
  private static float exp(float x) {
    if (x < -87.3f) {
      return 0;
    }
    float n = x * 1.44269504f + 12582912f - 12582912f;
    float r = n * -0.693359375f + x + n * 2.12194440e-4f;
    float p = r * (1f / 5040) + 1f / 720;
    p = p * r + 1f / 120;
    p = p * r + 1f / 24;
    p = p * r + 1f / 6;
    p = p * r + 0.5f;
    p = (p * r + 1f) * r + 1f;
    return p * Float.intBitsToFloat(((int) n + 127) << 23);
  }

  @Override
  public void entropyTerms(float[] p, int offset, int length, float[] out) {
    int i = 0;
    for (; i <= length - LANES; i += LANES) {
      FloatVector x = load(p, offset + i);
      x.mul(log(x.max(Float.MIN_NORMAL))).neg().intoArray(out, i);
    }
    for (; i < length; i++) {
      float x = p[offset + i];
      out[i] = -(x * log(Math.max(x, Float.MIN_NORMAL)));
    }
  }

  /**
   * Computes the natural logarithm of normal positive floats: x = 2^e · m with m in [√½, √2), and
   * log m = 2 artanh(s) with s = (m − 1)/(m + 1), as a series in s² up to s^9 (|s| ≤ 0.172).
   */
  private static FloatVector log(FloatVector x) {
    IntVector bits = x.reinterpretAsInts();
    // Subtracting the bits of √½ moves the boundary of the exponent from 1 to √½.
    IntVector shifted = bits.sub(0x3f3504f3);
    FloatVector e =
        (FloatVector)
            shifted
                .lanewise(VectorOperators.ASHR, 23)
                .convertShape(VectorOperators.I2F, SPECIES, 0);
    FloatVector m =
        shifted.lanewise(VectorOperators.AND, 0x007fffff).add(0x3f3504f3).reinterpretAsFloats();
    FloatVector s = m.sub(1f).div(m.add(1f));
    FloatVector s2 = s.mul(s);
    FloatVector t = s2.mul(2f / 9).add(2f / 7);
    t = t.mul(s2).add(2f / 5);
    t = t.mul(s2).add(2f / 3);
    t = t.mul(s2).add(2f).mul(s);
    return e.mul(0.693147182f).add(t);
  }

  /** Computes the natural logarithm with the same operations as the vector version. */
  private static float log(float x) {
    int shifted = Float.floatToRawIntBits(x) - 0x3f3504f3;
    float e = shifted >> 23;
    float m = Float.intBitsToFloat((shifted & 0x007fffff) + 0x3f3504f3);
    float s = (m - 1f) / (m + 1f);
    float s2 = s * s;
    float t = s2 * (2f / 9) + 2f / 7;
    t = t * s2 + 2f / 5;
    t = t * s2 + 2f / 3;
    t = (t * s2 + 2f) * s;
    return e * 0.693147182f + t;
  }

  @Override
  public int argmax(float[] x, int offset, int length) {
    if (length < 2 * LANES) {
      int best = 0;
      for (int i = 1; i < length; i++) {
        if (x[offset + i] > x[offset + best]) {
          best = i;
        }
      }
      return best;
    }
    FloatVector greatest = load(x, offset);
    int i = LANES;
    for (; i <= length - LANES; i += LANES) {
      greatest = greatest.max(load(x, offset + i));
    }
    float max = greatest.reduceLanes(VectorOperators.MAX);
    for (; i < length; i++) {
      max = Math.max(max, x[offset + i]);
    }
    for (int at = 0; at < length; at++) {
      if (x[offset + at] == max) {
        return at;
      }
    }
    return 0; // NaN equals no value
  }

  @Override
  public boolean allFinite(float[] x, int from, int to) {
    int i = from;
    // 0·x is 0 for a finite x and NaN otherwise, and NaN survives the sum.
    FloatVector sum = FloatVector.zero(SPECIES);
    for (; i <= to - LANES; i += LANES) {
      sum = load(x, i).fma(FloatVector.zero(SPECIES), sum);
    }
    if (sum.reduceLanes(VectorOperators.ADD) != 0) {
      return false;
    }
    for (; i < to; i++) {
      if (!Float.isFinite(x[i])) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int equalPositions(float[] a, int aOffset, float[] b, int bOffset, int length, int[] out) {
    int count = 0;
    int d = 0;
    for (; d <= length - LANES; d += LANES) {
      if (load(a, aOffset + d).compare(VectorOperators.EQ, load(b, bOffset + d)).anyTrue()) {
        for (int at = d; at < d + LANES; at++) {
          if (a[aOffset + at] == b[bOffset + at]) {
            out[count++] = at;
          }
        }
      }
    }
    for (; d < length; d++) {
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
    IntVector ids = IntVector.broadcast(INTS, id);
    FloatVector factors = FloatVector.broadcast(SPECIES, factor);
    FloatVector shifts = FloatVector.broadcast(SPECIES, shift);
    int i = 0;
    for (; i <= length - LANES; i += LANES) {
      FloatVector value = load(x, offset + i).fma(factors, shifts);
      FloatVector old = load(least, from + i);
      VectorMask<Float> lower = value.compare(VectorOperators.LT, old);
      // After the first steps of a search few vectors improve.
      if (lower.anyTrue()) {
        old.blend(value, lower).intoArray(least, from + i);
        IntVector.fromArray(INTS, arg, from + i)
            .blend(ids, lower.cast(INTS))
            .intoArray(arg, from + i);
      }
    }
    for (; i < length; i++) {
      float value = Math.fma(factor, x[offset + i], shift);
      if (value < least[from + i]) {
        least[from + i] = value;
        arg[from + i] = id;
      }
    }
  }

  @Override
  public float cappedSum(
      float[] x, int offset, float factor, float shift, float[] cap, int from, int length) {
    FloatVector factors = FloatVector.broadcast(SPECIES, factor);
    FloatVector shifts = FloatVector.broadcast(SPECIES, shift);
    FloatVector sum = FloatVector.zero(SPECIES);
    int i = 0;
    for (; i <= length - LANES; i += LANES) {
      sum = sum.add(load(x, offset + i).fma(factors, shifts).min(load(cap, from + i)));
    }
    float total = sum.reduceLanes(VectorOperators.ADD);
    for (; i < length; i++) {
      total += Math.min(cap[from + i], Math.fma(factor, x[offset + i], shift));
    }
    return total;
  }
}
