package org.alfamix.torch.network;

import java.util.ArrayList;
import java.util.List;
import org.alfamix.datasets.InputShape;
import org.alfamix.io.DataException;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.Backbone;
import org.alfamix.torch.Layers;
import org.alfamix.torch.Layers.BatchNorm2d;
import org.alfamix.torch.Layers.Conv2d;
import org.alfamix.torch.Parameters;
import org.bytedeco.pytorch.Tensor;

/**
 * DenseNet-121 with torchvision's names and shapes: G. Huang, Z. Liu, L. van der Maaten, K. Q.
 * Weinberger, "Densely connected convolutional networks", CVPR 2017.
 */
public final class DenseNet121 implements Architecture {
  private static final int[] LAYERS = {6, 12, 24, 16};
  private static final int GROWTH = 32;
  private static final int BOTTLENECK = 4 * GROWTH;
  private static final int STEM = 2 * GROWTH;

  /** A part of the network that maps images to images. */
  @FunctionalInterface
  private interface Stage {
    Tensor forward(Tensor x, boolean training);
  }

  @Override
  public String name() {
    return "densenet121";
  }

  @Override
  public String description() {
    return "DenseNet-121 with torchvision's names; 1024-dimensional embeddings, for images";
  }

  @Override
  public String head() {
    return "classifier";
  }

  /**
   * Returns the name in torchvision's files, which date from 2017: with a dot before the number.
   */
  @Override
  public List<String> aliases(String tensor) {
    return List.of(tensor.replaceFirst("(denselayer\\d+\\.(?:norm|conv))([12])", "$1.$2"));
  }

  @Override
  public Backbone build(Parameters parameters, InputShape input) {
    if (!input.isImage()) {
      throw new DataException("densenet121 takes images, not " + input + ".");
    }
    Conv2d stem =
        Conv2d.withoutBiasFanIn(parameters, "features.conv0", input.channels(), STEM, 7, 2);
    BatchNorm2d stemNorm = new BatchNorm2d(parameters, "features.norm0", STEM);
    List<Stage> stages = new ArrayList<>();
    List<String> names = new ArrayList<>();
    int channels = STEM;
    for (int block = 1; block <= LAYERS.length; block++) {
      for (int layer = 1; layer <= LAYERS[block - 1]; layer++) {
        String name = "features.denseblock%d.denselayer%d".formatted(block, layer);
        stages.add(layer(parameters, name, channels));
        names.add(name);
        channels += GROWTH;
      }
      if (block < LAYERS.length) {
        stages.add(transition(parameters, "features.transition" + block, channels));
        channels /= 2;
      }
    }
    BatchNorm2d last = new BatchNorm2d(parameters, "features.norm5", channels);
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
        for (Stage stage : stages) {
          x = stage.forward(x, training);
        }
        return last.forward(x, training).relu_().mean(new long[] {2, 3});
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

  /** Creates a layer, which adds channels computed from all previous channels of its block. */
  private static Stage layer(Parameters parameters, String name, int inputs) {
    BatchNorm2d norm1 = new BatchNorm2d(parameters, name + ".norm1", inputs);
    Conv2d conv1 = Conv2d.withoutBiasFanIn(parameters, name + ".conv1", inputs, BOTTLENECK, 1, 1);
    BatchNorm2d norm2 = new BatchNorm2d(parameters, name + ".norm2", BOTTLENECK);
    Conv2d conv2 = Conv2d.withoutBiasFanIn(parameters, name + ".conv2", BOTTLENECK, GROWTH, 3, 1);
    return (x, training) -> {
      Tensor y = conv1.forward(norm1.forward(x, training).relu_());
      return Layers.join(x, conv2.forward(norm2.forward(y, training).relu_()));
    };
  }

  /** Creates a transition, which halves the number of channels, the height and the width. */
  private static Stage transition(Parameters parameters, String name, int inputs) {
    BatchNorm2d norm = new BatchNorm2d(parameters, name + ".norm", inputs);
    Conv2d conv = Conv2d.withoutBiasFanIn(parameters, name + ".conv", inputs, inputs / 2, 1, 1);
    return (x, training) -> Layers.averagePool(conv.forward(norm.forward(x, training).relu_()), 2);
  }
}
