package org.alfamix.torch.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.alfamix.datasets.InputShape;
import org.alfamix.io.DataException;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Layers;
import org.alfamix.torch.Layers.BatchNorm2d;
import org.alfamix.torch.Layers.Conv2d;
import org.alfamix.torch.Layers.Linear;
import org.alfamix.torch.NetworkOptions;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;

/**
 * Residual networks with torchvision's names and shapes: K. He, X. Zhang, S. Ren, J. Sun, "Deep
 * residual learning for image recognition", CVPR 2016.
 */
public final class ResNet implements Architecture {
  public static final ResNet RESNET18 = new ResNet("resnet18", new int[] {2, 2, 2, 2}, 1, false, 0);
  public static final ResNet RESNET50 = new ResNet("resnet50", new int[] {3, 4, 6, 3}, 4, false, 0);

  private static final int MAX_UNITS = 8192;

  private static final int[] CHANNELS = {64, 128, 256, 512};

  private final String name;
  private final int[] blocks;

  /** Ratio of output channels to inner channels of a block; 1 for blocks without a bottleneck. */
  private final int expansion;

  /** Whether the stride of a bottleneck block is in its first convolution. */
  private final boolean strideFirst;

  /** Units of a linear layer between the mean over the image and the head; 0 for none. */
  private final int units;

  private ResNet(String name, int[] blocks, int expansion, boolean strideFirst, int units) {
    this.name = name;
    this.blocks = blocks;
    this.expansion = expansion;
    this.strideFirst = strideFirst;
    this.units = units;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String description() {
    return "ResNet-%s with torchvision's names; %d-dimensional embeddings, for images; options embedding%s"
        .formatted(
            name.substring("resnet".length()),
            CHANNELS[3] * expansion,
            expansion > 1 ? ", stride" : "");
  }

  /**
   * Returns the network with options. {@code embedding=256} adds a linear layer of 256 units before
   * the head, like the code of ALFA-Mix's authors. {@code stride}, only for ResNet-50, is the
   * position of the stride in a block: {@code middle} for the convolution of 3 × 3, as in
   * torchvision, or {@code first} for the first convolution.
   */
  @Override
  public Architecture with(Map<String, String> options) {
    NetworkOptions given = new NetworkOptions(name, options);
    int layer = given.integer("embedding", 1, MAX_UNITS, 0);
    boolean first =
        expansion > 1
            && given.oneOf("stride", List.of("middle", "first"), "middle").equals("first");
    given.rejectUnknown();
    return new ResNet(name, blocks, expansion, first, layer);
  }

  @Override
  public String head() {
    return "fc";
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    if (!input.isImage()) {
      throw new DataException("%s takes images, not %s.".formatted(name, input));
    }
    Conv2d stem = Conv2d.withoutBias(parameters, "conv1", input.channels(), CHANNELS[0], 7, 2);
    BatchNorm2d stemNorm = new BatchNorm2d(parameters, "bn1", CHANNELS[0]);
    List<String> names = new ArrayList<>();
    List<Block> all = new ArrayList<>();
    int channels = CHANNELS[0];
    for (int stage = 0; stage < CHANNELS.length; stage++) {
      for (int b = 0; b < blocks[stage]; b++) {
        names.add("layer%d.%d".formatted(stage + 1, b));
        int stride = stage > 0 && b == 0 ? 2 : 1;
        String block = names.get(names.size() - 1);
        all.add(new Block(parameters, block, channels, CHANNELS[stage], stride));
        channels = CHANNELS[stage] * expansion;
      }
    }
    Linear last = units == 0 ? null : new Linear(parameters, "embedding", channels, units);
    int width = units == 0 ? channels : units;
    return new Backbone() {
      @Override
      public int width() {
        return width;
      }

      @Override
      public Tensor embed(Tensor inputs, boolean training) {
        Tensor x = stemNorm.forward(stem.forward(inputs), training).relu_();
        x = Layers.maxPool(x, 3, 2, 1);
        for (Block block : all) {
          x = block.forward(x, training);
        }
        x = x.mean(new long[] {2, 3});
        return last == null ? x : last.forward(x);
      }

      @Override
      public List<String> blocks() {
        return names;
      }

      @Override
      public boolean requiresSeveralItems() {
        return true;
      }
    };
  }

  /** A convolution followed by a batch norm. */
  private static final class Unit {
    private final Conv2d convolution;
    private final BatchNorm2d norm;

    Unit(
        Parameters parameters,
        String convolution,
        String norm,
        int inputs,
        int outputs,
        int side,
        int stride) {
      this.convolution = Conv2d.withoutBias(parameters, convolution, inputs, outputs, side, stride);
      this.norm = new BatchNorm2d(parameters, norm, outputs);
    }

    Tensor forward(Tensor x, boolean training) {
      return norm.forward(convolution.forward(x), training);
    }
  }

  /** A residual block: two convolutions of 3 × 3, or a bottleneck of 1 × 1, 3 × 3 and 1 × 1. */
  private final class Block {
    private final List<Unit> units = new ArrayList<>();
    private final Unit shortcut;

    Block(Parameters parameters, String block, int inputs, int inner, int stride) {
      int outputs = inner * expansion;
      if (expansion == 1) {
        add(parameters, block, inputs, inner, 3, stride);
        add(parameters, block, inner, inner, 3, 1);
      } else {
        add(parameters, block, inputs, inner, 1, strideFirst ? stride : 1);
        add(parameters, block, inner, inner, 3, strideFirst ? 1 : stride);
        add(parameters, block, inner, outputs, 1, 1);
      }
      this.shortcut =
          stride > 1 || inputs != outputs
              ? new Unit(
                  parameters,
                  block + ".downsample.0",
                  block + ".downsample.1",
                  inputs,
                  outputs,
                  1,
                  stride)
              : null;
    }

    private void add(
        Parameters parameters, String block, int inputs, int outputs, int side, int stride) {
      int number = units.size() + 1;
      units.add(
          new Unit(
              parameters,
              block + ".conv" + number,
              block + ".bn" + number,
              inputs,
              outputs,
              side,
              stride));
    }

    Tensor forward(Tensor x, boolean training) {
      Tensor y = x;
      for (Unit unit : units.subList(0, units.size() - 1)) {
        y = unit.forward(y, training).relu_();
      }
      y = units.get(units.size() - 1).forward(y, training);
      Tensor skip = shortcut == null ? x : shortcut.forward(x, training);
      return y.add_(skip).relu_();
    }
  }
}
