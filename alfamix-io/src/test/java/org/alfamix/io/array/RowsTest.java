package org.alfamix.io.array;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.stream.IntStream;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All implementations of rows return the same rows. */
class RowsTest {
  private static final int SIZE = 1000;

  private static FloatMatrix numbers(int first, int count) {
    FloatMatrix matrix = FloatMatrix.zeros(count, 3);
    for (int at = 0; at < 3 * count; at++) {
      matrix.set(at / 3, at % 3, 3 * first + at + 1);
    }
    return matrix;
  }

  private static void assertSameRows(FloatMatrix expected, Rows rows) {
    assertEquals(expected.rows(), rows.rows());
    for (int from = 0; from <= expected.rows(); from += 97) {
      int to = Math.min(expected.rows(), from + 130);
      FloatMatrix slice = rows.slice(from, to);
      for (int i = from; i < to; i++) {
        assertArrayEquals(expected.row(i), slice.row(i - from));
      }
    }
    int[] some = {0, 1, 2, 499, 500, 501, 998, 7, 7};
    FloatMatrix gathered = rows.gather(some);
    for (int i = 0; i < some.length; i++) {
      assertArrayEquals(expected.row(some[i]), gathered.row(i));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 1000, 5000, 1 << 30})
  void buffersRowsInMemoryOrOnDisk(long maxBytes) {
    RowsBuffer buffer = new RowsBuffer("test", 3, maxBytes);
    FloatMatrix expected = numbers(0, SIZE);
    IntStream.range(0, SIZE).forEach(i -> buffer.add(expected.row(i)));
    Rows rows = buffer.finish();
    assertSameRows(expected, rows);
    assertEquals("test, row 5", rows.describe(5));
  }

  @Test
  void concatenatesShardsIncludingEmptyOnes() {
    Rows rows =
        new ShardedRows(
            List.of(
                numbers(0, 0), numbers(0, 300), numbers(0, 0), numbers(300, 1), numbers(301, 699)));
    assertSameRows(numbers(0, SIZE), rows);
    assertEquals("row 0", rows.describe(300));
    assertThrows(
        DataException.class,
        () -> new ShardedRows(List.of(numbers(0, 2), FloatMatrix.zeros(2, 4))));
  }

  @Test
  void loadsRowsOnlyIfTheyFit() {
    FloatMatrix matrix = numbers(0, SIZE);
    assertSame(matrix, LoadedRows.loadIfWithin(4 * 3 * SIZE - 1, matrix));
    assertSameRows(matrix, LoadedRows.loadIfWithin(4 * 3 * SIZE, matrix));
  }

  @Test
  void subsetsAndNormalizedRowsAreViews() {
    FloatMatrix matrix = numbers(0, SIZE);
    int[] odd = IntStream.range(0, SIZE / 2).map(i -> 2 * i + 1).toArray();
    Rows subset = matrix.subset(odd);
    assertEquals(SIZE / 2, subset.rows());
    assertArrayEquals(matrix.row(21), subset.slice(10, 11).row(0));
    assertArrayEquals(matrix.row(23), subset.slice(10, 12).row(1));
    assertArrayEquals(matrix.row(5), subset.gather(new int[] {2}).row(0));
    assertEquals("row 21", subset.describe(10));
    float[] normal = subset.normalized().slice(0, 1).row(0);
    assertEquals(1, Math.hypot(Math.hypot(normal[0], normal[1]), normal[2]), 1e-6);
    assertEquals(4, matrix.get(1, 0), "the original is unchanged");
    assertThrows(IllegalArgumentException.class, () -> matrix.subset(new int[] {2, 1}));
  }
}
