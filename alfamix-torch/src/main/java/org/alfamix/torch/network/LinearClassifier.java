package org.alfamix.torch.network;

import org.alfamix.datasets.InputShape;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;

/** A linear head without other layers, for tables or for features of a backbone. */
public final class LinearClassifier implements Architecture {

  @Override
  public String name() {
    return TrainingOptions.FEATURES_NETWORK;
  }

  @Override
  public String description() {
    return "only a head: a linear model, for tables and for features of a backbone";
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    return new Backbone() {
      @Override
      public int width() {
        return input.length();
      }

      @Override
      public Tensor embed(Tensor inputs, boolean training) {
        return inputs.flatten(1, -1);
      }

      @Override
      public boolean isSmall() {
        return true;
      }
    };
  }
}
