package org.alfamix.torch.network;

import java.util.ArrayList;
import java.util.List;
import org.alfamix.data.DataException;
import org.alfamix.dataset.InputShape;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Layers;
import org.alfamix.torch.Layers.BatchNorm2d;
import org.alfamix.torch.Layers.Conv2d;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;

/**
 * ResNet-18 with torchvision's names and shapes: K. He, X. Zhang, S. Ren, J. Sun, "Deep residual
 * learning for image recognition", CVPR 2016.
 */
public final class ResNet18 implements Architecture {
  private static final int[] CHANNELS = {64, 128, 256, 512};
  private static final int BLOCKS = 2;

  @Override
  public String name() {
    return "resnet18";
  }

  @Override
  public String description() {
    return "ResNet-18 under torchvision's names; embeddings of 512, for images";
  }

  @Override
  public String head() {
    return "fc";
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    if (!input.image()) {
      throw new DataException("resnet18 takes images, not " + input + ".");
    }
    Conv2d stem = Conv2d.withoutBias(parameters, "conv1", input.channels(), CHANNELS[0], 7, 2);
    BatchNorm2d stemNorm = new BatchNorm2d(parameters, "bn1", CHANNELS[0]);
    List<Block> blocks = new ArrayList<>();
    int channels = CHANNELS[0];
    for (int stage = 0; stage < CHANNELS.length; stage++) {
      for (int b = 0; b < BLOCKS; b++) {
        String name = "layer%d.%d".formatted(stage + 1, b);
        int stride = stage > 0 && b == 0 ? 2 : 1;
        blocks.add(new Block(parameters, name, channels, CHANNELS[stage], stride));
        channels = CHANNELS[stage];
      }
    }
    int width = channels;
    return new Backbone() {
      @Override
      public int width() {
        return width;
      }

      @Override
      public Tensor embed(Tensor inputs, boolean training) {
        Tensor x = stemNorm.forward(stem.forward(inputs), training).relu_();
        x = Layers.maxPool(x, 3, 2, 1);
        for (Block block : blocks) {
          x = block.forward(x, training);
        }
        return x.mean(new long[] {2, 3});
      }

      @Override
      public boolean needsSeveral() {
        return true;
      }
    };
  }

  /** Two convolutions of 3 × 3 beside a short cut. */
  private static final class Block {
    private final Conv2d first;
    private final BatchNorm2d firstNorm;
    private final Conv2d second;
    private final BatchNorm2d secondNorm;
    private final Conv2d shortcut;
    private final BatchNorm2d shortcutNorm;

    Block(Parameters parameters, String name, int inputs, int outputs, int stride) {
      this.first = Conv2d.withoutBias(parameters, name + ".conv1", inputs, outputs, 3, stride);
      this.firstNorm = new BatchNorm2d(parameters, name + ".bn1", outputs);
      this.second = Conv2d.withoutBias(parameters, name + ".conv2", outputs, outputs, 3, 1);
      this.secondNorm = new BatchNorm2d(parameters, name + ".bn2", outputs);
      boolean changes = stride > 1 || inputs != outputs;
      this.shortcut =
          changes
              ? Conv2d.withoutBias(parameters, name + ".downsample.0", inputs, outputs, 1, stride)
              : null;
      this.shortcutNorm =
          changes ? new BatchNorm2d(parameters, name + ".downsample.1", outputs) : null;
    }

    Tensor forward(Tensor x, boolean training) {
      Tensor y = firstNorm.forward(first.forward(x), training).relu_();
      y = secondNorm.forward(second.forward(y), training);
      Tensor kept = shortcut == null ? x : shortcutNorm.forward(shortcut.forward(x), training);
      return y.add_(kept).relu_();
    }
  }
}
