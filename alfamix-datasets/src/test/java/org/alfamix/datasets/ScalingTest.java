package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.Test;

class ScalingTest {

  @Test
  void convertsPublishedConstantsToPixelsUpTo255() {
    Scaling scaling = Scaling.pixels(new double[] {0.5, 0.25}, new double[] {0.5, 0.125});
    float[] values = {-1, 0, 255, 63.75f, 255};
    scaling.apply(values, 1, InputShape.image(2, 1, 2));
    assertArrayEquals(new float[] {-1, -1, 1, 0, 6}, values, 1e-5f);
  }

  @Test
  void standardizesEachColumn() {
    FloatMatrix rows =
        FloatMatrix.of(
            new float[] {1_000_001, 5, 7},
            new float[] {1_000_003, 5, 9},
            new float[] {1_000_002, 5, 2});
    RowInputs inputs = new RowInputs(rows);
    Scaling scaling = Scaling.standardizing(inputs);
    assertEquals(1_000_002, scaling.shift()[0], 0.1);
    assertEquals(Math.sqrt(2 / 3.0), scaling.scale()[0], 1e-4);
    assertEquals(1, scaling.scale()[1], "a constant column is only shifted");
    float[] sums = new float[3];
    for (int i = 0; i < 3; i++) {
      float[] row = new float[3];
      inputs.read(i, row, 0);
      scaling.apply(row, 0, inputs.shape());
      for (int c = 0; c < 3; c++) {
        sums[c] += row[c];
      }
    }
    assertArrayEquals(new float[3], sums, 1e-5f);
  }

  @Test
  void noneKeepsValuesUnchanged() {
    float[] values = {3, -1, 0.5f};
    Scaling.none(InputShape.table(3)).apply(values, 0, InputShape.table(3));
    assertArrayEquals(new float[] {3, -1, 0.5f}, values);
    assertThrows(IllegalArgumentException.class, () -> new Scaling(new float[1], new float[] {0}));
  }
}
