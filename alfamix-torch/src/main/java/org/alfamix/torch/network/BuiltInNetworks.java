package org.alfamix.torch.network;

import java.util.List;
import org.alfamix.torch.Architecture;
import org.alfamix.torch.ArchitectureProvider;

/** The networks of the paper, and some others. To register a network, add it to this list. */
public final class BuiltInNetworks implements ArchitectureProvider {
  private static final List<Architecture> ALL =
      List.of(
          new Mlp(),
          LeNet5.STANDARD,
          LeNet5.RECTIFIED,
          new ConvNet(),
          new LinearClassifier(),
          ResNet.RESNET18,
          ResNet.RESNET50,
          new DenseNet121(),
          VisionTransformer.SMALL,
          VisionTransformer.BASE,
          new MViT());

  @Override
  public List<Architecture> architectures() {
    return ALL;
  }
}
