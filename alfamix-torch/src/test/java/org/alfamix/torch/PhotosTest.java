package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.alfamix.datasets.Fetcher;
import org.alfamix.datasets.ImageFolder;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.io.DataException;
import org.alfamix.learn.weights.PublishedWeights;
import org.alfamix.learn.weights.WeightsFolder;
import org.alfamix.math.Kernels;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Classifies real photos with the published ResNet-50 and its head. */
class PhotosTest {
  /** ImageNet's class numbers of 118 breeds of dogs. */
  private static final Set<Integer> DOGS = range(151, 268);

  /** A tusker and two elephants. */
  private static final Set<Integer> ELEPHANTS = Set.of(101, 385, 386);

  /** A sorrel horse, and a horse cart. */
  private static final Set<Integer> HORSES = Set.of(339, 603);

  /**
   * Other objects in the foreground of photos: a dog with a straw hat (a sombrero), an elephant in
   * the mirror of a car, a horse with a halter (a muzzle).
   */
  private static final Map<String, Integer> OTHER_OBJECTS =
      Map.of(
          "photo/dog/056_0059.jpg", 808,
          "photo/elephant/064_0001.jpg", 475,
          "photo/horse/105_0205.jpg", 676);

  private static Set<Integer> range(int first, int last) {
    Set<Integer> numbers = new TreeSet<>();
    IntStream.rangeClosed(first, last).forEach(numbers::add);
    return numbers;
  }

  private static Path weights(PublishedWeights weights) {
    String variable = System.getenv("ALFAMIX_DATA");
    Path folder =
        variable == null || variable.isBlank() ? Path.of("target", "data") : Path.of(variable);
    Fetcher.Listener quiet = what -> {};
    try {
      return new WeightsFolder(folder, quiet).find(weights);
    } catch (DataException e) {
      return Assumptions.<Path>abort("skipped: " + e.getMessage());
    }
  }

  private static Classifier network(Device device) {
    PublishedWeights published = PublishedWeights.named("resnet50-imagenet").orElseThrow();
    Path weights = weights(published);
    Torch.load();
    InputShape shape = InputShape.image(3, PublishedWeights.SIDE, PublishedWeights.SIDE);
    Classifier network =
        new Classifier(Architectures.named(published.network()), shape, 1000, device, 1);
    Weights.load(weights, network.architecture(), network.parameters(), true);
    Torch.setThreads(2);
    return network;
  }

  /** Returns the logits of one image after scaling its pixels. */
  private static float[] logits(Classifier network, Device device, float[] pixels) {
    PublishedWeights.named("resnet50-imagenet")
        .orElseThrow()
        .scaling()
        .apply(pixels, 0, network.input());
    try (PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      Tensor batch = Tensors.of(pixels, device, network.batchShape(1));
      return Tensors.toArray(network.forward(batch, false, null).logits());
    }
  }

  /** Compares with Keras's network, reimplemented layer by layer in PyTorch for Python. */
  @Test
  void matchesTheLogitsOfKeras() {
    try (Device device = new Device("cpu");
        Classifier network = network(device)) {
      float[] pixels = new float[network.input().length()];
      for (int i = 0; i < pixels.length; i++) {
        int area = PublishedWeights.SIDE * PublishedWeights.SIDE;
        int y = i % area / PublishedWeights.SIDE;
        int x = i % PublishedWeights.SIDE;
        pixels[i] = (i / area * 37 + y * 3 + x * 5) % 256;
      }
      float[] logits = logits(network, device, pixels);
      assertArrayEquals(
          new float[] {-6.2802f, -0.3463f, -2.5781f, -8.0452f}, Arrays.copyOf(logits, 4), 2e-3f);
    }
  }

  @Tag("slow")
  @Test
  void classifiesPhotos() {
    Path zip = Path.of("..", "..", "shared", "data", "pacs-photo", "pacs-photo-227-jpg.zip");
    Assumptions.assumeTrue(Files.exists(zip), "skipped: missing " + zip);
    ImageFolder folder = ImageFolder.open(zip);
    List<String> names = new ArrayList<>();
    List<Set<Integer>> expected = new ArrayList<>();
    add(folder, "photo/dog/", 7, DOGS, names, expected);
    add(folder, "photo/elephant/", 7, ELEPHANTS, names, expected);
    add(folder, "photo/horse/", 6, HORSES, names, expected);
    assertEquals(20, names.size());
    Inputs inputs = folder.inputs(names, PublishedWeights.SIDE, 1);
    int right = 0;
    try (Device device = new Device("cpu");
        Classifier network = network(device)) {
      for (int i = 0; i < names.size(); i++) {
        float[] pixels = new float[inputs.shape().length()];
        inputs.read(i, pixels, 0);
        int best = Kernels.argmax(logits(network, device, pixels), 0, 1000);
        boolean plausible =
            expected.get(i).contains(best)
                || Integer.valueOf(best).equals(OTHER_OBJECTS.get(names.get(i)));
        right += plausible ? 1 : 0;
        System.out.printf("%s: class %d%s%n", names.get(i), best, plausible ? "" : " (no)");
      }
    }
    assertTrue(right >= 15, right + " of 20 photos have a plausible class");
  }

  private static void add(
      ImageFolder folder,
      String prefix,
      int count,
      Set<Integer> classes,
      List<String> names,
      List<Set<Integer>> expected) {
    List<String> all = folder.names().stream().filter(name -> name.startsWith(prefix)).toList();
    for (int i = 0; i < count; i++) {
      names.add(all.get(i * all.size() / count));
      expected.add(classes);
    }
  }
}
