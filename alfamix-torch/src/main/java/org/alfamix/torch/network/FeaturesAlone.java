package org.alfamix.torch.network;

import org.alfamix.datasets.InputShape;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;

/** Nothing before the head: a linear model of columns, or of features that a backbone has made. */
public final class FeaturesAlone implements Architecture {

  @Override
  public String name() {
    return TrainingOptions.FEATURES_NETWORK;
  }

  @Override
  public String description() {
    return "a head alone: a linear model, for tables and for features of a backbone";
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
