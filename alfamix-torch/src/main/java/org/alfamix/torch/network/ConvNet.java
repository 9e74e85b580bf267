package org.alfamix.torch.network;

import java.util.random.RandomGenerator;
import org.alfamix.datasets.InputShape;
import org.alfamix.io.DataException;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Layers;
import org.alfamix.torch.Layers.Conv2d;
import org.alfamix.torch.Layers.Linear;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;

/**
 * The second network for MNIST in the code of ALFA-Mix's authors, which is called Net1 there: two
 * convolutions of 5 × 5 without padding (10 and 20 channels), each followed by max pooling and a
 * ReLU, and a layer of 50 units, which is the embedding. In training, dropout sets each of the 20
 * channels to zero with probability ½. The authors also drop out half of the embedding before the
 * head; to do the same, train with a dropout of 0.5.
 */
public final class ConvNet implements Architecture {
  private static final int SIDE = 5;
  private static final int MIN_SIDE = 16;
  private static final int FIRST = 10;
  private static final int SECOND = 20;
  private static final int WIDTH = 50;

  @Override
  public String name() {
    return "net1";
  }

  @Override
  public String description() {
    return "two convolutions with channel dropout and one linear layer; 50-dimensional embeddings,"
        + " for small images";
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    if (!input.isImage() || Math.min(input.height(), input.width()) < MIN_SIDE) {
      throw new DataException(
          "%s takes images of at least %d x %d pixels, not %s."
              .formatted(name(), MIN_SIDE, MIN_SIDE, input));
    }
    Conv2d first = Conv2d.withBias(parameters, "conv1", input.channels(), FIRST, SIDE, 0);
    Conv2d second = Conv2d.withBias(parameters, "conv2", FIRST, SECOND, SIDE, 0);
    int flat = SECOND * outputSide(input.height()) * outputSide(input.width());
    Linear third = new Linear(parameters, "fc1", flat, WIDTH);
    return new Backbone() {
      @Override
      public int width() {
        return WIDTH;
      }

      @Override
      public Tensor embed(Tensor inputs, boolean training) {
        return afterConvolutions(convolve(inputs));
      }

      @Override
      public Tensor embedForTraining(Tensor inputs, RandomGenerator random) {
        Tensor x = convolve(inputs);
        return afterConvolutions(x.mul(Layers.channelMask(x, random)));
      }

      private Tensor convolve(Tensor inputs) {
        return second.forward(Layers.maxPool(first.forward(inputs), 2, 2, 0).relu_());
      }

      private Tensor afterConvolutions(Tensor x) {
        return third.forward(Layers.maxPool(x, 2, 2, 0).relu_().flatten(1, -1)).relu_();
      }
    };
  }

  private static int outputSide(int side) {
    return ((side - SIDE + 1) / 2 - SIDE + 1) / 2;
  }
}
