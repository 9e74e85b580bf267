package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alfamix.datasets.InputShape;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares names, shapes and outputs of networks with torchvision's; tensors are filled by a
 * formula.
 */
class NetworkGoldenTest {

  @ParameterizedTest
  @ValueSource(strings = {"resnet18", "resnet18_32", "densenet121"})
  void matchesTorchvisionsNetwork(String name) throws URISyntaxException {
    JsonTree golden =
        JsonTree.read(
            Path.of(NetworkGoldenTest.class.getResource("/golden/" + name + ".json").toURI()));
    int[] input = golden.get("input").integers();
    int[] output = golden.get("output_shape").integers();
    Torch.load();
    try (Device device = new Device("cpu");
        Classifier network =
            new Classifier(
                Architectures.named(name.replaceFirst("_32$", "")),
                InputShape.image(input[1], input[2], input[3]),
                output[1],
                device,
                1)) {
      Parameters parameters = network.parameters();
      assertEquals((long) golden.get("parameters").number(), parameters.count());
      assertShapes(golden.get("tensors").list(), parameters, false);
      assertShapes(golden.get("buffers").list(), parameters, true);
      fill(parameters);
      assertOutputs(golden, network, device, input);
    }
  }

  private static void assertShapes(List<JsonTree> tensors, Parameters parameters, boolean buffers) {
    TreeMap<String, long[]> found = new TreeMap<>(parameters.shapes());
    found.keySet().removeIf(name -> parameters.isBuffer(name) != buffers);
    assertEquals(
        tensors.stream().map(tensor -> tensor.list().get(0).text()).toList(),
        List.copyOf(found.keySet()));
    for (JsonTree tensor : tensors) {
      String name = tensor.list().get(0).text();
      int[] shape = tensor.list().get(1).integers();
      assertArrayEquals(Arrays.stream(shape).asLongStream().toArray(), found.get(name), name);
    }
  }

  /**
   * Fills tensors as described in the golden files: names sorted and numbered, values by a sine.
   */
  private static void fill(Parameters parameters) {
    TreeSet<String> trainable = new TreeSet<>();
    TreeSet<String> buffers = new TreeSet<>();
    for (String name : parameters.shapes().keySet()) {
      if (parameters.isBuffer(name)) {
        buffers.add(name);
        // PyTorch also has a batch counter for each running mean, which is included in the
        // numbering.
        buffers.add(name.replaceAll("running_(mean|var)$", "num_batches_tracked"));
      } else {
        trainable.add(name);
      }
    }
    fill(parameters, trainable);
    fill(parameters, buffers);
  }

  private static void fill(Parameters parameters, TreeSet<String> names) {
    int p = 0;
    for (String name : names) {
      int number = p++;
      long[] shape = parameters.shapes().get(name);
      if (shape == null) {
        continue;
      }
      parameters.set(name, filled(name, number, shape));
    }
  }

  /** Returns the values of a tensor whose name has this number among the sorted names. */
  static float[] filled(String name, int number, long... shape) {
    int size = 1;
    for (long length : shape) {
      size *= (int) length;
    }
    float[] values = new float[size];
    for (int i = 0; i < size; i++) {
      double v = Math.sin(0.5 + 1.3 * number + 0.61803398875 * i);
      values[i] = (float) value(name, shape, size, v);
    }
    return values;
  }

  private static double value(String name, long[] shape, int size, double v) {
    if (name.endsWith("running_mean")) {
      return 0.1 * v;
    }
    if (name.endsWith("running_var")) {
      return 1 + 0.3 * v * v;
    }
    if (!name.endsWith(".bias") && !name.endsWith(".weight")) {
      return 0.02 * v;
    }
    if (shape.length == 1) {
      return name.endsWith("bias") ? 0.05 * v : 1 + 0.1 * v;
    }
    double fanIn = (double) size / shape[0];
    return v * Math.sqrt(2 / fanIn);
  }

  private static void assertOutputs(
      JsonTree golden, Classifier network, Device device, int[] input) {
    int length = network.input().length();
    float[] x = new float[input[0] * length];
    for (int j = 0; j < x.length; j++) {
      x[j] = (float) Math.sin(0.01 * j);
    }
    float[] logits;
    try (PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      Tensor inputs = Tensors.of(x, device, network.batchShape(input[0]));
      logits = Tensors.toArray(network.forward(inputs, false, null).logits());
    }
    assertLogits(golden, logits, network.classes());
  }

  private static void assertLogits(JsonTree golden, float[] logits, int classes) {
    List<JsonTree> rows = golden.get("output").list();
    for (int i = 0; i < rows.size(); i++) {
      List<JsonTree> row = rows.get(i).list();
      for (int k = 0; k < row.size(); k++) {
        assertEquals(row.get(k).number(), logits[i * classes + k], 1e-3, i + ", " + k);
      }
    }
    double mean = 0;
    for (float logit : logits) {
      mean += logit / logits.length;
    }
    double squares = 0;
    for (float logit : logits) {
      squares += (logit - mean) * (logit - mean);
    }
    assertEquals(golden.get("output_mean").number(), mean, 1e-3);
    assertEquals(golden.get("output_std").number(), Math.sqrt(squares / (logits.length - 1)), 1e-3);
  }

  /** DINO's networks do not have a head: their output is the embedding. */
  @ParameterizedTest
  @ValueSource(strings = {"dino_vit_small_16", "dino_vit_base_16"})
  void matchesDinosNetwork(String name) throws URISyntaxException {
    JsonTree golden =
        JsonTree.read(
            Path.of(NetworkGoldenTest.class.getResource("/golden/" + name + ".json").toURI()));
    int[] input = golden.get("input").integers();
    Torch.load();
    try (Device device = new Device("cpu");
        Parameters parameters = new Parameters(device, 1)) {
      Architecture architecture =
          Architectures.named(name.contains("small") ? "vit-small" : "vit-base");
      InputShape shape = InputShape.image(input[1], input[2], input[3]);
      Backbone backbone = architecture.build(parameters, shape);
      assertEquals((long) golden.get("parameters").number(), parameters.count());
      assertShapes(golden.get("tensors").list(), parameters, false);
      fill(parameters);
      float[] x = new float[input[0] * shape.length()];
      for (int j = 0; j < x.length; j++) {
        x[j] = (float) Math.sin(0.01 * j);
      }
      try (PointerScope scope = new PointerScope();
          NoGradGuard guard = new NoGradGuard()) {
        Tensor inputs = Tensors.of(x, device, input[0], input[1], input[2], input[3]);
        float[] embeddings = Tensors.toArray(backbone.embed(inputs, false));
        List<JsonTree> rows = golden.get("output").list();
        for (int i = 0; i < rows.size(); i++) {
          List<JsonTree> row = rows.get(i).list();
          for (int k = 0; k < row.size(); k++) {
            assertEquals(
                row.get(k).number(), embeddings[i * backbone.width() + k], 1e-3, i + ", " + k);
          }
        }
      }
    }
  }

  /**
   * Compares clips of 16 frames with the golden file, and clips of 32 frames with results of
   * torchvision in double precision.
   */
  @Tag("slow")
  @ParameterizedTest
  @ValueSource(strings = {"mvit_v1_b", "mvit_v1_b_32"})
  void matchesTorchvisionsMultiscaleTransformer(String name) throws URISyntaxException {
    JsonTree golden =
        JsonTree.read(
            Path.of(NetworkGoldenTest.class.getResource("/golden/" + name + ".json").toURI()));
    int[] input = golden.get("input").integers();
    Torch.load();
    Torch.setThreads(Runtime.getRuntime().availableProcessors());
    try (Device device = new Device("cpu");
        Classifier network =
            new Classifier(
                Architectures.named("mvit"),
                InputShape.video(input[2], input[3], input[4]),
                golden.get("output_shape").integers()[1],
                device,
                1)) {
      assertEquals((long) golden.get("parameters").number(), network.parameters().count());
      assertShapes(golden.get("tensors").list(), network.parameters(), false);
      fill(network.parameters());
      assertOutputs(golden, network, device, input);
    }
  }

  @ParameterizedTest
  @CsvSource({"15, 224", "16, 100"})
  void rejectsClipsOfUnsupportedSizesForAMultiscaleTransformer(int frames, int side) {
    Torch.load();
    try (Device device = new Device("cpu");
        Parameters parameters = Parameters.zeros(device)) {
      Architecture mvit = Architectures.named("mvit");
      assertThrows(
          DataException.class, () -> mvit.build(parameters, InputShape.video(frames, side, side)));
      assertEquals(
          "mvit takes square clips of videos, not 3 x 224 x 224 pixels.",
          assertThrows(
                  DataException.class, () -> mvit.build(parameters, InputShape.image(3, 224, 224)))
              .getMessage());
    }
  }

  /** Returns the embedding of an image from a transformer with options. */
  private static float[] embedding(String network) {
    InputShape shape = InputShape.image(3, 32, 32);
    try (Device device = new Device("cpu");
        Parameters parameters = new Parameters(device, 1);
        PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      Backbone backbone = Architectures.named(network).build(parameters, shape);
      fill(parameters);
      float[] x = new float[shape.length()];
      for (int j = 0; j < x.length; j++) {
        x[j] = (float) Math.sin(0.01 * j);
      }
      Torch.setThreads(1);
      float[] embedding =
          Tensors.toArray(backbone.embed(Tensors.of(x, device, 1, 3, 32, 32), false));
      assertEquals(backbone.width(), embedding.length);
      return embedding;
    }
  }

  @Test
  void combinesTokensOfSeveralBlocksAndTheMeanOfPatches() {
    Torch.load();
    float[] last = embedding("vit-small");
    float[] four = embedding("vit-small:blocks=4");
    float[] both = embedding("vit-small:blocks=4,pool=average");
    assertEquals(384, last.length);
    assertEquals(4 * 384, four.length);
    assertEquals(5 * 384, both.length);
    assertArrayEquals(last, Arrays.copyOfRange(four, 3 * 384, 4 * 384));
    assertArrayEquals(four, Arrays.copyOf(both, 4 * 384), 1e-5f);
    float[] mean = Arrays.copyOfRange(both, 4 * 384, 5 * 384);
    // From an implementation of the transformer in PyTorch for Python, with the same tensors.
    assertArrayEquals(
        new float[] {-0.78673f, 0.76721f, 0.57216f, -0.77008f, -1.23312f},
        new float[] {mean[0], mean[1], mean[2], mean[200], mean[383]},
        1e-3f);
    assertEquals(
        "vit-small: blocks is '13', expected 1 to 12.",
        assertThrows(
                InvalidRequestException.class, () -> Architectures.named("vit-small:blocks=13"))
            .getMessage());
    assertEquals(
        "resnet18 has no option 'blocks'; its options are embedding.",
        assertThrows(InvalidRequestException.class, () -> Architectures.named("resnet18:blocks=1"))
            .getMessage());
    assertEquals(
        "vit-small:x: 'x' is not an option, expected NAME=VALUE.",
        assertThrows(InvalidRequestException.class, () -> Architectures.named("vit-small:x"))
            .getMessage());
  }
}
