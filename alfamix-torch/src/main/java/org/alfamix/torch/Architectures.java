package org.alfamix.torch;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Collectors;
import org.alfamix.data.DataException;
import org.alfamix.torch.network.DenseNet121;
import org.alfamix.torch.network.LeNet5;
import org.alfamix.torch.network.Mlp;
import org.alfamix.torch.network.ResNet18;
import org.alfamix.torch.network.VisionTransformer;

/** The networks that have a name. */
final class Architectures {
  private static final List<Architecture> OURS =
      List.of(
          new Mlp(),
          LeNet5.USUAL,
          LeNet5.RECTIFIED,
          new ResNet18(),
          new DenseNet121(),
          VisionTransformer.SMALL,
          VisionTransformer.BASE);

  private Architectures() {}

  /** Ours, then those that others put on the class path. */
  static List<Architecture> all() {
    List<Architecture> all = new ArrayList<>(OURS);
    try {
      ServiceLoader.load(Architecture.class).forEach(all::add);
    } catch (ServiceConfigurationError | LinkageError e) {
      throw new DataException("A network of your own cannot be loaded: " + e.getMessage() + ".", e);
    }
    return all;
  }

  static Architecture named(String name) {
    List<Architecture> all = all();
    return all.stream()
        .filter(architecture -> architecture.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new DataException(
                    "There is no network '%s'; there are %s."
                        .formatted(
                            name,
                            all.stream()
                                .map(Architecture::name)
                                .collect(Collectors.joining(", ")))));
  }
}
