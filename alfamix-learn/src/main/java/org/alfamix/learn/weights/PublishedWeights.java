package org.alfamix.learn.weights;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.alfamix.datasets.DataFile;
import org.alfamix.datasets.DatasetEntry.Form;
import org.alfamix.datasets.DatasetEntry.Location;
import org.alfamix.datasets.Fetchable;
import org.alfamix.datasets.ImageFolder;
import org.alfamix.datasets.Scaling;
import org.alfamix.datasets.Source;

/**
 * Published weights of a network that was trained on many images or videos.
 *
 * @param network the network that the weights belong to
 * @param embedding the same network with the options that give the best features
 * @param features number of these features
 * @param scaling the scaling of pixels
 */
public record PublishedWeights(
    String name,
    String network,
    String embedding,
    int features,
    Scaling scaling,
    String licence,
    String citation,
    List<Form> forms)
    implements Fetchable {

  /** The image height and width that all of these weights were trained with. */
  public static final int SIDE = 224;

  private static final String RESNET =
      "K. He, X. Zhang, S. Ren, J. Sun, \"Deep residual learning for image recognition\", CVPR"
          + " 2016";
  private static final String DINO =
      "M. Caron et al., \"Emerging properties in self-supervised vision transformers\", ICCV 2021";

  /** Means of ImageNet's pixels, which Keras subtracts without further scaling. */
  private static final Scaling KERAS =
      new Scaling(new float[] {123.68f, 116.779f, 103.939f}, new float[] {1, 1, 1});

  private static final String MVIT = "H. Fan et al., \"Multiscale vision transformers\", ICCV 2021";

  /** Means and standard deviations that networks for videos are trained with. */
  private static final Scaling KINETICS =
      Scaling.pixels(new double[] {0.45, 0.45, 0.45}, new double[] {0.225, 0.225, 0.225});

  /** Networks whose inputs are clips of videos instead of images. */
  private static final Set<String> CLIP_NETWORKS = Set.of("mvit");

  private static final List<PublishedWeights> ALL =
      List.of(
          new PublishedWeights(
              "resnet50-imagenet",
              "resnet50:stride=first",
              "resnet50:stride=first",
              2048,
              KERAS,
              "MIT (Keras); the package: ISC",
              RESNET,
              List.of(KerasResNet50Weights.npm())),
          new PublishedWeights(
              "resnet18-imagenet",
              "resnet18",
              "resnet18",
              512,
              ImageFolder.PHOTOS,
              "BSD 3-clause (torchvision)",
              RESNET,
              List.of(torchvision("resnet18-f37072fd.pth", "f37072fd"))),
          new PublishedWeights(
              "densenet121-imagenet",
              "densenet121",
              "densenet121",
              1024,
              ImageFolder.PHOTOS,
              "BSD 3-clause (torchvision)",
              "G. Huang, Z. Liu, L. van der Maaten, K. Q. Weinberger, \"Densely connected"
                  + " convolutional networks\", CVPR 2017",
              List.of(torchvision("densenet121-a639ec97.pth", "a639ec97"))),
          new PublishedWeights(
              "vit-small-dino",
              "vit-small",
              "vit-small:blocks=4",
              4 * 384,
              ImageFolder.PHOTOS,
              "Apache 2.0",
              DINO,
              List.of(dino("dino_deitsmall16_pretrain"))),
          new PublishedWeights(
              "vit-base-dino",
              "vit-base",
              "vit-base:pool=average",
              2 * 768,
              ImageFolder.PHOTOS,
              "Apache 2.0",
              DINO,
              List.of(dino("dino_vitbase16_pretrain"))),
          new PublishedWeights(
              "mvit-kinetics-400",
              "mvit",
              "mvit",
              768,
              KINETICS,
              "BSD 3-clause (torchvision)",
              MVIT,
              List.of(torchvision("mvit_v1_b-dbeb1030.pth", "dbeb1030"))),
          new PublishedWeights(
              "mvit-kinetics-600",
              "mvit",
              "mvit",
              768,
              KINETICS,
              "CC BY-NC 4.0 (PySlowFast's model zoo)",
              MVIT,
              List.of(
                  new Form(
                      List.of(new DataFile("k600.pyth", DataFile.UNKNOWN, null)),
                      List.of(),
                      List.of(
                          new Source.Address(
                              "https://dl.fbaipublicfiles.com/pyslowfast/model_zoo/mvit/k600.pyth",
                              Map.of())),
                      null))));

  public PublishedWeights {
    forms = List.copyOf(forms);
  }

  /** torchvision's file names end in the first digits of the checksum. */
  private static Form torchvision(String file, String sha256) {
    return new Form(
        List.of(new DataFile(file, DataFile.UNKNOWN, sha256)),
        List.of(),
        List.of(new Source.Address("https://download.pytorch.org/models/" + file, Map.of())),
        null);
  }

  private static Form dino(String name) {
    return new Form(
        List.of(new DataFile(name + ".pth", DataFile.UNKNOWN, null)),
        List.of(),
        List.of(
            new Source.Address(
                "https://dl.fbaipublicfiles.com/dino/%s/%s.pth".formatted(name, name), Map.of())),
        null);
  }

  /** Returns whether a network of this name, with or without options, takes clips of videos. */
  public static boolean takesClips(String network) {
    return CLIP_NETWORKS.contains(network.split(":", 2)[0]);
  }

  /** Returns all published weights. */
  public static List<PublishedWeights> all() {
    return ALL;
  }

  public static Optional<PublishedWeights> named(String name) {
    return ALL.stream().filter(weights -> weights.name().equals(name)).findFirst();
  }

  @Override
  public boolean pinsDigests() {
    return true;
  }

  /** Returns the folder of these weights, next to those of the data sets. */
  @Override
  public Path folder(Path dataFolder) {
    return dataFolder.resolve("weights").resolve(name);
  }

  /** Returns the path that a network reads: the only file, or the folder if there are several. */
  public static Path path(Location location) {
    List<DataFile> files = location.form().files();
    return files.size() == 1 ? location.folder().resolve(files.get(0).name()) : location.folder();
  }
}
