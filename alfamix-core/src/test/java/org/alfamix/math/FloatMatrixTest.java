package org.alfamix.math;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class FloatMatrixTest {
  private final FloatMatrix matrix =
      FloatMatrix.of(new float[] {1, 2}, new float[] {3, 4}, new float[] {5, 6});

  @Test
  void sliceSharesItsRows() {
    FloatMatrix slice = matrix.slice(1, 3);
    assertSame(matrix.array(), slice.array());
    slice.set(0, 1, 40);
    assertEquals(40, matrix.get(1, 1));
    assertArrayEquals(new float[] {5, 6}, slice.slice(1, 2).row(0));
  }

  @Test
  void gatheredRowsAndCopiesAreIndependent() {
    FloatMatrix gathered = matrix.gather(new int[] {2, 0, 2});
    gathered.set(0, 0, 50);
    matrix.slice(1, 2).copy().set(0, 0, 30);
    assertArrayEquals(new float[] {5, 6}, matrix.row(2));
    assertArrayEquals(new float[] {3, 4}, matrix.row(1));
    assertArrayEquals(new float[] {1, 2}, gathered.row(1));
  }

  @Test
  void reportsRowAndColumnOfNonFiniteValues() {
    FloatMatrix pool = matrix.slice(0, 2);
    matrix.set(2, 1, Float.NaN);
    var exception =
        assertThrows(
            IllegalArgumentException.class, () -> matrix.slice(1, 3).requireFinite("pool", 1));
    assertEquals("pool: row 2, column 1 is NaN, expected a finite number.", exception.getMessage());
    assertSame(pool, pool.requireFinite("pool"));
  }

  @Test
  void rejectsInvalidSizesAndIndices() {
    var values =
        assertThrows(IllegalArgumentException.class, () -> FloatMatrix.wrap(new float[5], 2, 3));
    assertEquals("A 2 x 3 matrix needs 6 values, got 5.", values.getMessage());
    var ragged =
        assertThrows(
            IllegalArgumentException.class,
            () -> FloatMatrix.of(new float[] {1}, new float[] {1, 2}));
    assertEquals("Row 1 has 2 values, row 0 has 1.", ragged.getMessage());
    assertThrows(IllegalArgumentException.class, () -> FloatMatrix.zeros(100_000, 100_000));
    assertThrows(IndexOutOfBoundsException.class, () -> matrix.get(0, 2));
    assertThrows(IndexOutOfBoundsException.class, () -> matrix.slice(2, 4));
  }
}
