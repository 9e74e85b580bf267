package org.alfamix.learn.embed;

import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.math.FloatMatrix;

/** Features of items, with the ids and descriptions of the original items. */
record FeatureInputs(FloatMatrix features, Inputs origin) implements Inputs {

  @Override
  public int size() {
    return features.rows();
  }

  @Override
  public InputShape shape() {
    return InputShape.table(features.columns());
  }

  @Override
  public void read(int item, float[] target, int offset) {
    System.arraycopy(
        features.array(), features.rowOffset(item), target, offset, features.columns());
  }

  @Override
  public String id(int item) {
    return origin.id(item);
  }

  @Override
  public String describe(int item) {
    return origin.describe(item);
  }
}
