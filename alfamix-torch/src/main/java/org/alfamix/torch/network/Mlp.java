package org.alfamix.torch.network;

import java.util.Optional;
import org.alfamix.datasets.InputShape;
import org.alfamix.model.LinearHead;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Layers.Linear;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;

/**
 * Two linear layers with a ReLU between them. Its hidden layer, the embedding, has 256 units for
 * images and 1,024 for tables, as in the paper.
 */
public final class Mlp implements Architecture {
  private static final int IMAGE_UNITS = 256;
  private static final int TABLE_UNITS = 1024;

  /** Measured with 16, 784 and 3,072 inputs: two threads are not faster than one. */
  private static final int MAX_SMALL_INPUTS = 4096;

  @Override
  public String name() {
    return "mlp";
  }

  @Override
  public String description() {
    return "two linear layers with a ReLU; 256-dimensional embeddings for images, 1024 for tables";
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    int units = input.isImage() ? IMAGE_UNITS : TABLE_UNITS;
    Linear hidden = new Linear(parameters, "hidden", input.length(), units);
    return new Backbone() {
      @Override
      public int width() {
        return units;
      }

      @Override
      public Tensor embed(Tensor inputs, boolean training) {
        return hidden.forward(inputs.flatten(1, -1)).relu_();
      }

      @Override
      public boolean isSmall() {
        return input.length() <= MAX_SMALL_INPUTS;
      }

      @Override
      public Optional<LinearHead> hiddenLayer() {
        return Optional.of(hidden.toHead());
      }
    };
  }
}
