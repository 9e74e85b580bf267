package org.alfamix.torch.example;

import org.alfamix.datasets.InputShape;
import org.alfamix.io.DataException;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Layers;
import org.alfamix.torch.Layers.BatchNorm2d;
import org.alfamix.torch.Layers.Conv2d;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;

/** One convolution with batch normalization and pooling. */
public final class TinyNet implements Architecture {
  private static final int CHANNELS = 16;

  @Override
  public String name() {
    return "tiny";
  }

  @Override
  public String description() {
    return "one convolution; 16 values for every four pixels";
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    if (!input.isImage() || input.height() < 2 || input.width() < 2) {
      throw new DataException("tiny takes images of at least 2 x 2 pixels, not " + input + ".");
    }
    Conv2d conv = Conv2d.withoutBias(parameters, "conv", input.channels(), CHANNELS, 3, 1);
    BatchNorm2d norm = new BatchNorm2d(parameters, "norm", CHANNELS);
    int width = CHANNELS * (input.height() / 2) * (input.width() / 2);
    return new Backbone() {
      @Override
      public int width() {
        return width;
      }

      @Override
      public Tensor embed(Tensor inputs, boolean training) {
        Tensor x = norm.forward(conv.forward(inputs), training).relu_();
        return Layers.maxPool(x, 2, 2, 0).flatten(1, -1);
      }

      @Override
      public boolean requiresSeveralItems() {
        return true; // batch normalization has no variance of a single item
      }
    };
  }
}
