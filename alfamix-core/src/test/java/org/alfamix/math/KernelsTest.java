package org.alfamix.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares every kernel of both implementations with a plain loop in double precision. */
class KernelsTest {
  private static final KernelProvider[] PROVIDERS = {new ScalarKernels(), new VectorKernels()};
  private static final int OFFSET = 3;

  private final SplittableRandom random = new SplittableRandom(7);

  private float[] randomValues(int length) {
    float[] result = new float[length];
    for (int i = 0; i < length; i++) {
      result[i] = (float) (random.nextDouble() * 2 - 1);
    }
    return result;
  }

  @Test
  void runsOnTheRequestedImplementation() {
    String requested = System.getProperty("alfamix.kernels", "auto");
    String expected = requested.equals("auto") ? "" : requested;
    assertTrue(Kernels.description().startsWith(expected), Kernels.description());
    System.out.println(
        "requested kernels: " + requested + ", active kernels: " + Kernels.description());
  }

  @Test
  void vectorsHaveTheRequestedLength() {
    String bits = System.getProperty("alfamix.test.vector-bits");
    assumeTrue(bits != null, "no vector length was requested");
    boolean shorter = !Kernels.description().contains(bits) && bits.equals("512");
    assumeFalse(shorter, "this processor has no vectors of 512 bits");
    assertEquals("vector (" + bits + " bits)", Kernels.description());
  }

  @Test
  void rejectsAnUnknownImplementation() {
    var exception = assertThrows(IllegalStateException.class, () -> KernelSelection.of("fast"));
    assertEquals("alfamix.kernels=fast, expected auto, scalar or vector.", exception.getMessage());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 13, 16, 207, 4098})
  void computesProductsAndDistancesOfRows(int n) {
    float[] a = randomValues(n + OFFSET);
    float[] b = randomValues(n + OFFSET);
    double dot = 0;
    double distance = 0;
    for (int i = 0; i < n; i++) {
      dot += (double) a[OFFSET + i] * b[i];
      distance += Math.pow((double) a[OFFSET + i] - b[i], 2);
    }
    for (KernelProvider kernels : PROVIDERS) {
      assertEquals(dot, kernels.dot(a, OFFSET, b, 0, n), 1e-6 * (n + 1));
      assertEquals(distance, kernels.squaredDistance(a, OFFSET, b, 0, n), 1e-6 * (n + 1));
      float[] y = b.clone();
      kernels.axpy(0.5f, a, OFFSET, y, 1, n);
      for (int i = 0; i < n; i++) {
        assertEquals(b[1 + i] + 0.5 * a[OFFSET + i], y[1 + i], 1e-6);
      }
      assertEquals(b[0], y[0], "untouched before the range");
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "8, 32, 16", "13, 33, 207", "3, 70, 300", "21, 5, 513", "9, 64, 0"})
  void computesBlockProducts(int rows, int packedRows, int columns) {
    FloatMatrix a = FloatMatrix.wrap(randomValues(rows * columns), rows, columns);
    FloatMatrix b = FloatMatrix.wrap(randomValues(packedRows * columns), packedRows, columns);
    for (KernelProvider kernels : PROVIDERS) {
      PackedRows packed = PackedRows.of(b, kernels.panelWidth());
      assertArrayEquals(
          packed.panels(), PackedRows.ofColumns(b.transposed(), kernels.panelWidth()).panels());
      float[] out = new float[rows * packed.stride()];
      Arrays.fill(out, Float.NaN);
      kernels.dots(a.array(), 0, rows, packed, 0, packed.stride(), out);
      for (int i = 0; i < rows; i++) {
        for (int j = 0; j < packedRows; j++) {
          double expected = 0;
          for (int d = 0; d < columns; d++) {
            expected += (double) a.get(i, d) * b.get(j, d);
          }
          assertEquals(expected, out[i * packed.stride() + j], 1e-6 * (columns + 1));
        }
      }
    }
  }

  @Test
  void computesBlockProductsOfARangeOfPackedRows() {
    FloatMatrix a = FloatMatrix.wrap(randomValues(10 * 40), 10, 40);
    FloatMatrix b = FloatMatrix.wrap(randomValues(100 * 40), 100, 40);
    PackedRows packed = Kernels.pack(b);
    float[] whole = new float[10 * packed.stride()];
    Kernels.dots(a, packed, whole);
    int from = packed.width();
    int stride = packed.stride(from, 100);
    float[] part = new float[10 * stride];
    Kernels.dots(a, packed, from, 100, part);
    for (int i = 0; i < 10; i++) {
      for (int j = from; j < 100; j++) {
        assertEquals(whole[i * packed.stride() + j], part[i * stride + j - from]);
      }
    }
    assertThrows(IllegalArgumentException.class, () -> Kernels.dots(a, packed, 1, 100, part));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 16, 100, 1000})
  void computesExponentialsAndEntropies(int n) {
    for (KernelProvider kernels : PROVIDERS) {
      float[] x = randomValues(n + OFFSET);
      for (int i = 0; i < x.length; i++) {
        x[i] = 60 * (x[i] - 1);
      }
      float[] e = x.clone();
      kernels.expInPlace(e, OFFSET, n);
      float[] terms = new float[n];
      kernels.entropyTerms(e, OFFSET, n, terms);
      for (int i = 0; i < n; i++) {
        double expected = Math.exp(x[OFFSET + i]);
        assertEquals(expected, e[OFFSET + i], 1e-6 * expected + 1e-37);
        double p = e[OFFSET + i];
        double term = p == 0 ? 0 : -p * Math.log(p);
        assertEquals(term, terms[i], 1e-6 * term + 2e-7 * p + 1e-35);
      }
      assertEquals(x[0], e[0], "untouched before the range");
    }
  }

  @Test
  void softmaxAndEntropyOfAMatrixMatchThoseOfEachRow() {
    FloatMatrix rows = FloatMatrix.wrap(randomValues(13 * 10), 13, 10);
    FloatMatrix part = rows.slice(2, 13);
    double[] entropies = new double[13];
    FloatMatrix expected = part.copy();
    for (int i = 0; i < expected.rows(); i++) {
      Kernels.softmax(expected.array(), expected.rowOffset(i), 10);
    }
    float[] untouched = rows.row(1);
    Kernels.softmaxRows(part);
    Kernels.entropyRows(part, entropies, 2);
    assertArrayEquals(untouched, rows.row(1));
    for (int i = 0; i < part.rows(); i++) {
      assertArrayEquals(expected.row(i), part.row(i), 1e-6f);
      double sum = 0;
      double entropy = 0;
      for (float p : part.row(i)) {
        sum += p;
        entropy -= p * Math.log(p);
      }
      assertEquals(1, sum, 1e-6);
      assertEquals(entropy, entropies[2 + i], 1e-6);
    }
  }

  @Test
  void softmaxSurvivesExtremeLogits() {
    float[] logits = {1e30f, -1e30f, Float.NEGATIVE_INFINITY, 1e30f};
    Kernels.softmax(logits, 0, 4);
    assertArrayEquals(new float[] {0.5f, 0, 0, 0.5f}, logits);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 16, 33, 207})
  void argmaxReturnsTheFirstOfEqualValues(int n) {
    for (KernelProvider kernels : PROVIDERS) {
      for (int largest = 0; largest < n; largest++) {
        float[] x = new float[n + OFFSET];
        Arrays.fill(x, -1);
        Arrays.fill(x, OFFSET + largest, n + OFFSET, 2);
        assertEquals(largest, kernels.argmax(x, OFFSET, n));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(floats = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY})
  void allFiniteDetectsEveryNonFiniteValue(float bad) {
    for (KernelProvider kernels : PROVIDERS) {
      for (int at = 0; at < 70; at++) {
        float[] x = randomValues(70);
        assertTrue(kernels.allFinite(x, 0, 70));
        x[at] = bad;
        assertFalse(kernels.allFinite(x, 0, 70));
        assertTrue(kernels.allFinite(x, at + 1, 70));
      }
    }
    for (KernelProvider kernels : PROVIDERS) {
      assertTrue(kernels.allFinite(new float[] {Float.MAX_VALUE, -Float.MAX_VALUE}, 0, 2));
    }
  }

  @Test
  void equalPositionsTreatPositiveAndNegativeZeroAsEqual() {
    float[] a = randomValues(100);
    float[] b = randomValues(100);
    int[] expected = {0, 15, 16, 40, 99};
    for (int at : expected) {
      b[at] = a[at];
    }
    a[40] = 0f;
    b[40] = -0f;
    for (KernelProvider kernels : PROVIDERS) {
      int[] out = new int[100];
      int count = kernels.equalPositions(a, 0, b, 0, 100, out);
      assertArrayEquals(expected, Arrays.copyOf(out, count));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 15, 100})
  void computesLowerIntoAndCappedSum(int n) {
    float[] x = randomValues(n + OFFSET);
    float[] least = randomValues(n);
    for (KernelProvider kernels : PROVIDERS) {
      float[] lowered = least.clone();
      int[] arg = new int[n];
      kernels.lowerInto(x, OFFSET, -2, 0.25f, lowered, arg, 9, 0, n);
      double sum = 0;
      for (int i = 0; i < n; i++) {
        double value = -2.0 * x[OFFSET + i] + 0.25;
        assertEquals(Math.min(value, least[i]), lowered[i], 1e-6);
        assertEquals(value < least[i] ? 9 : 0, arg[i]);
        sum += Math.min(value, least[i]);
      }
      assertEquals(sum, kernels.cappedSum(x, OFFSET, -2, 0.25f, least, 0, n), 1e-5);
    }
  }

  @Test
  void rejectsMismatchedSizes() {
    var lengths =
        assertThrows(IllegalArgumentException.class, () -> Kernels.dot(new float[3], new float[4]));
    assertEquals("Lengths differ: 3 != 4.", lengths.getMessage());
    PackedRows packed = Kernels.pack(FloatMatrix.zeros(2, 4));
    var rows =
        assertThrows(
            IllegalArgumentException.class,
            () -> Kernels.dots(FloatMatrix.zeros(1, 3), packed, new float[99]));
    assertEquals("Row lengths differ: 3 != 4.", rows.getMessage());
    assertThrows(
        IndexOutOfBoundsException.class, () -> Kernels.dot(new float[3], 1, new float[3], 0, 3));
  }

  @Test
  void normalizesRowsOfAnyMagnitude() {
    FloatMatrix matrix =
        FloatMatrix.of(new float[] {3, 4}, new float[] {0, 0}, new float[] {3e30f, 4e30f});
    Kernels.normalizeRows(matrix);
    assertArrayEquals(new float[] {0.6f, 0.8f}, matrix.row(0), 1e-7f);
    assertArrayEquals(new float[] {0, 0}, matrix.row(1));
    assertArrayEquals(new float[] {0.6f, 0.8f}, matrix.row(2), 1e-7f);
  }

  @Test
  void equalRowsHaveEqualProbabilitiesAndEntropiesAtAnyPosition() {
    FloatMatrix rows = FloatMatrix.zeros(515, 7);
    float[] row = randomValues(7);
    for (int i = 0; i < 515; i++) {
      System.arraycopy(row, 0, rows.array(), rows.rowOffset(i), 7);
    }
    double[] entropies = new double[515];
    Kernels.softmaxRows(rows);
    Kernels.entropyRows(rows, entropies, 0);
    for (int i = 1; i < 515; i++) {
      assertArrayEquals(rows.row(0), rows.row(i));
      assertEquals(entropies[0], entropies[i]);
    }
  }

  @Test
  void argmaxOfNaNsIsInBounds() {
    float[] x = new float[100];
    Arrays.fill(x, Float.NaN);
    for (KernelProvider kernels : PROVIDERS) {
      assertEquals(0, kernels.argmax(x, 0, 100));
    }
  }
}
