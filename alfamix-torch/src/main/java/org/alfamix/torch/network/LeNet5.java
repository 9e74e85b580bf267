package org.alfamix.torch.network;

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
 * LeNet-5 with ReLUs and max pooling: two convolutions of 5 × 5, then layers of 120 and 84, the
 * latter being the embedding. Y. LeCun et al., "Gradient-based learning applied to document
 * recognition", 1998.
 *
 * <p>The published code of the paper's authors has one more ReLU, on the logits: {@link #RECTIFIED}
 * reproduces it.
 */
public final class LeNet5 implements Architecture {
  private static final int SIDE = 5;
  private static final int DESIGNED_FOR = 32;
  private static final int MIN_SIDE = 12;
  private static final int WIDTH = 84;

  /** Without a ReLU on the logits. */
  public static final LeNet5 STANDARD = new LeNet5(false);

  /** With a ReLU on the logits. */
  public static final LeNet5 RECTIFIED = new LeNet5(true);

  private final boolean rectified;

  private LeNet5(boolean rectified) {
    this.rectified = rectified;
  }

  @Override
  public String name() {
    return rectified ? "lenet5-relu" : "lenet5";
  }

  @Override
  public String description() {
    return rectified
        ? "lenet5 with a ReLU on its logits, as in the code of the paper's authors"
        : "two convolutions and two linear layers; 84-dimensional embeddings, for small images";
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    if (!input.isImage() || Math.min(input.height(), input.width()) < MIN_SIDE) {
      throw new DataException(
          "%s takes images of at least %d x %d pixels, not %s."
              .formatted(name(), MIN_SIDE, MIN_SIDE, input));
    }
    // Designed for 32 x 32; smaller images are padded.
    int padding = Math.min(input.height(), input.width()) < DESIGNED_FOR ? SIDE / 2 : 0;
    Conv2d first = Conv2d.withBias(parameters, "conv1", input.channels(), 6, SIDE, padding);
    Conv2d second = Conv2d.withBias(parameters, "conv2", 6, 16, SIDE, 0);
    int flat = 16 * outputSide(input.height(), padding) * outputSide(input.width(), padding);
    Linear third = new Linear(parameters, "fc1", flat, 120);
    Linear fourth = new Linear(parameters, "fc2", 120, WIDTH);
    return new Backbone() {
      @Override
      public int width() {
        return WIDTH;
      }

      @Override
      public boolean rectifiesLogits() {
        return rectified;
      }

      @Override
      public Tensor embed(Tensor inputs, boolean training) {
        Tensor x = Layers.maxPool(first.forward(inputs).relu_(), 2, 2, 0);
        x = Layers.maxPool(second.forward(x).relu_(), 2, 2, 0);
        x = third.forward(x.flatten(1, -1)).relu_();
        return fourth.forward(x).relu_();
      }
    };
  }

  /** Returns the length of a side after both convolutions and poolings. */
  private static int outputSide(int side, int padding) {
    int afterFirst = (side + 2 * padding - SIDE + 1) / 2;
    return (afterFirst - SIDE + 1) / 2;
  }
}
