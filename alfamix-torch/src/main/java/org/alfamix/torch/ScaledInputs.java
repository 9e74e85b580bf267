package org.alfamix.torch;

import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.Scaling;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Rows;

/** Some items of a data set, scaled for the network, one row each, and read on demand. */
record ScaledInputs(Inputs inputs, int[] items, Scaling scaling) implements Rows {

  @Override
  public int rows() {
    return items.length;
  }

  @Override
  public int columns() {
    return inputs.shape().length();
  }

  /** Returns some of these items, by their positions. */
  ScaledInputs at(int[] positions) {
    int[] some = new int[positions.length];
    for (int i = 0; i < some.length; i++) {
      some[i] = items[positions[i]];
    }
    return new ScaledInputs(inputs, some, scaling);
  }

  @Override
  public FloatMatrix slice(int from, int to) {
    FloatMatrix result = FloatMatrix.zeros(to - from, columns());
    read(from, to, result.array(), 0);
    return result;
  }

  /** Reads rows into an existing array. */
  void read(int from, int to, float[] target, int offset) {
    InputShape shape = inputs.shape();
    int length = shape.length();
    for (int i = from, at = offset; i < to; i++, at += length) {
      inputs.read(items[i], target, at);
      scaling.apply(target, at, shape);
    }
  }

  @Override
  public String describe(int row) {
    return inputs.describe(items[row]);
  }
}
