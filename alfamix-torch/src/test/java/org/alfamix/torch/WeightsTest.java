package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.alfamix.datasets.InputShape;
import org.alfamix.io.DataException;
import org.alfamix.io.array.Safetensors;
import org.alfamix.io.table.JsonTree;
import org.alfamix.learn.Tuning;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Loads checkpoints of other programs: files of PyTorch, with names of DINO and torchvision. */
class WeightsTest {
  private static final InputShape SMALL = InputShape.image(1, 12, 12);

  @TempDir Path folder;

  private static Path resource(String name) throws URISyntaxException {
    return Path.of(WeightsTest.class.getResource("/weights/" + name).toURI());
  }

  private static Classifier classifier(String network, InputShape input, int classes) {
    Torch.load();
    return new Classifier(Architectures.named(network), input, classes, new Device("cpu"), 3);
  }

  /** Returns the outputs of a network for inputs of sines. */
  private static Classifier.Forward forward(Classifier classifier, int items) {
    float[] x = new float[items * classifier.input().length()];
    for (int j = 0; j < x.length; j++) {
      x[j] = (float) Math.sin(0.01 * j);
    }
    Torch.setThreads(1);
    Tensor batch = Tensors.of(x, new Device("cpu"), classifier.batchShape(items));
    return classifier.forward(batch, false, null);
  }

  private static void assertRows(JsonTree expected, float[] actual) {
    int at = 0;
    for (JsonTree row : expected.list()) {
      for (JsonTree value : row.list()) {
        assertEquals(value.number(), actual[at++], 2e-6);
      }
    }
    assertEquals(at, actual.length);
  }

  @ParameterizedTest
  @ValueSource(strings = {"lenet5.pth", "lenet5.safetensors"})
  void reproducesOutputsOfPython(String file) throws URISyntaxException {
    JsonTree expected = JsonTree.read(resource("lenet5.json"));
    try (Classifier classifier = classifier("lenet5", SMALL, 3);
        PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      Weights.load(resource(file), classifier.architecture(), classifier.parameters(), true);
      Classifier.Forward forward = forward(classifier, 2);
      assertRows(expected.get("embeddings"), Tensors.toArray(forward.embeddings()));
      assertRows(expected.get("logits"), Tensors.toArray(forward.logits()));
    }
  }

  @Test
  void keepsItsOwnHead() throws URISyntaxException {
    try (Classifier classifier = classifier("lenet5", SMALL, 5)) {
      float[] before = Tensors.toArray(classifier.parameters().tensor("head.weight"));
      Weights.load(
          resource("lenet5.pth"), classifier.architecture(), classifier.parameters(), false);
      assertArrayEquals(before, Tensors.toArray(classifier.parameters().tensor("head.weight")));
    }
  }

  /** Writes the tensors of a network under other names. */
  private Path write(Parameters parameters, UnaryOperator<String> rename) throws IOException {
    Path file = folder.resolve("w.safetensors");
    Map<String, long[]> shapes = new TreeMap<>();
    Map<String, float[]> values = new TreeMap<>();
    parameters.shapes().forEach((name, shape) -> shapes.put(rename.apply(name), shape));
    parameters.values().forEach((name, value) -> values.put(rename.apply(name), value));
    try (OutputStream out = Files.newOutputStream(file)) {
      Safetensors.write(out, shapes, values::get);
    }
    return file;
  }

  @Test
  void acceptsTorchvisionsNamesOf2017() throws IOException {
    InputShape input = InputShape.image(3, 32, 32);
    try (Classifier first = classifier("densenet121", input, 4);
        Classifier second = classifier("densenet121", input, 4)) {
      first.parameters().set("features.norm5.bias", new float[1024]);
      Path file =
          write(
              first.parameters(),
              name -> name.replaceFirst("(denselayer\\d+\\.(?:norm|conv))([12])", "$1.$2"));
      second.parameters().set("features.norm5.bias", ones(1024));
      Weights.load(file, second.architecture(), second.parameters(), false);
      assertArrayEquals(
          new float[1024], Tensors.toArray(second.parameters().tensor("features.norm5.bias")));
    }
  }

  /** Returns PySlowFast's name of a tensor of MViT. */
  private static String pySlowFast(String name) {
    return "model_state."
        + name.replace("conv_proj", "patch_embed.proj")
            .replace("pos_encoding.class_token", "cls_token")
            .replaceFirst("pos_encoding\\.(class|spatial|temporal)_pos", "pos_embed_$1")
            .replaceFirst("attn\\.pool_(.)\\.pool", "attn.pool_$1")
            .replaceFirst("attn\\.pool_(.)\\.norm_act\\.0", "attn.norm_$1")
            .replace("attn.project.0", "attn.proj")
            .replace("mlp.0", "mlp.fc1")
            .replace("mlp.3", "mlp.fc2")
            .replaceFirst("(blocks\\.\\d+)\\.project", "$1.proj")
            .replace("head.1", "head.projection");
  }

  /**
   * Writes tensors like PySlowFast: position embeddings with leading dimensions of 1, and, if
   * requested, separate queries, keys and values.
   */
  private Path pySlowFast(Parameters parameters, boolean separate) throws IOException {
    Map<String, long[]> shapes = new TreeMap<>();
    Map<String, float[]> values = new TreeMap<>();
    parameters
        .values()
        .forEach(
            (name, value) -> {
              long[] shape = parameters.shapes().get(name);
              String called = pySlowFast(name);
              if (separate && name.contains(".qkv.")) {
                int part = value.length / 3;
                for (int i = 0; i < 3; i++) {
                  String each = called.replace(".qkv.", "." + "qkv".charAt(i) + ".");
                  long[] third = shape.clone();
                  third[0] /= 3;
                  shapes.put(each, third);
                  values.put(each, Arrays.copyOfRange(value, i * part, (i + 1) * part));
                }
              } else {
                boolean position = name.startsWith("pos_encoding");
                long[] longer = shape.length == 1 ? new long[] {1, 1, shape[0]} : shape;
                shapes.put(
                    called,
                    position && shape.length == 2
                        ? new long[] {1, shape[0], shape[1]}
                        : position ? longer : shape);
                values.put(called, value);
              }
            });
    Path file = folder.resolve("slowfast.safetensors");
    try (OutputStream out = Files.newOutputStream(file)) {
      Safetensors.write(out, shapes, values::get);
    }
    return file;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void acceptsPySlowFastsNames(boolean separate) throws IOException {
    InputShape input = InputShape.video(4, 32, 32);
    try (Classifier first = classifier("mvit", input, 4);
        Device device = new Device("cpu");
        Classifier second = new Classifier(Architectures.named("mvit"), input, 4, device, 2)) {
      Path file = pySlowFast(first.parameters(), separate);
      Weights.load(file, second.architecture(), second.parameters(), true);
      Map<String, float[]> expected = first.parameters().values();
      second
          .parameters()
          .values()
          .forEach((name, actual) -> assertArrayEquals(expected.get(name), actual, name));
    }
  }

  @Test
  void interpolatesPositionsOfClips() throws IOException {
    try (Classifier long8 = classifier("mvit", InputShape.video(8, 64, 64), 4);
        Classifier short4 = classifier("mvit", InputShape.video(4, 32, 32), 4)) {
      Path file = write(long8.parameters(), name -> name);
      Weights.load(file, short4.architecture(), short4.parameters(), true);
      float[] before = Tensors.toArray(long8.parameters().tensor("pos_encoding.temporal_pos"));
      float[] after = Tensors.toArray(short4.parameters().tensor("pos_encoding.temporal_pos"));
      assertEquals(4 * 96, before.length);
      assertEquals(2 * 96, after.length);
      // Half as many positions: each is the mean of two.
      assertEquals((before[0] + before[96]) / 2, after[0], 1e-6);
      assertEquals((before[2 * 96 + 5] + before[3 * 96 + 5]) / 2, after[96 + 5], 1e-6);
      float[] space = Tensors.toArray(long8.parameters().tensor("pos_encoding.spatial_pos"));
      float[] smaller = Tensors.toArray(short4.parameters().tensor("pos_encoding.spatial_pos"));
      float mean = (space[0] + space[96] + space[16 * 96] + space[17 * 96]) / 4;
      assertEquals(mean, smaller[0], 1e-6);
    }
  }

  private static float[] ones(int count) {
    float[] ones = new float[count];
    Arrays.fill(ones, 1);
    return ones;
  }

  @Tag("slow")
  @Test
  void loadsTorchvisionsTransformer() throws IOException, URISyntaxException {
    JsonTree golden =
        JsonTree.read(
            Path.of(WeightsTest.class.getResource("/golden/vit_b_16_torchvision.json").toURI()));
    Map<String, long[]> shapes = new TreeMap<>();
    for (JsonTree tensor : golden.get("tensors").list()) {
      int[] shape = tensor.list().get(1).integers();
      shapes.put(tensor.list().get(0).text(), Arrays.stream(shape).asLongStream().toArray());
    }
    Path file = folder.resolve("torchvision.safetensors");
    List<String> sorted = List.copyOf(shapes.keySet());
    try (OutputStream out = Files.newOutputStream(file)) {
      Safetensors.write(
          out,
          shapes,
          name -> NetworkGoldenTest.filled(name, sorted.indexOf(name), shapes.get(name)));
    }
    int[] input = golden.get("input").integers();
    try (Classifier classifier =
            classifier("vit-base", InputShape.image(input[1], input[2], input[3]), 1000);
        PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      Weights.load(file, classifier.architecture(), classifier.parameters(), true);
      float[] logits = Tensors.toArray(forward(classifier, input[0]).logits());
      List<JsonTree> rows = golden.get("output").list();
      for (int i = 0; i < rows.size(); i++) {
        for (int k = 0; k < 10; k++) {
          assertEquals(rows.get(i).list().get(k).number(), logits[i * 1000 + k], 1e-3);
        }
      }
    }
  }

  @Test
  void resizesPositionsToAnotherImageSize() throws IOException {
    try (Classifier large = classifier("vit-small", InputShape.image(3, 64, 64), 2);
        Classifier small = classifier("vit-small", InputShape.image(3, 32, 32), 2)) {
      float[] positions = new float[17 * 384];
      for (int i = 0; i < positions.length; i++) {
        positions[i] = (float) Math.sin(0.01 * i);
      }
      large.parameters().set("pos_embed", positions);
      Path file = write(large.parameters(), UnaryOperator.identity());
      Weights.load(file, small.architecture(), small.parameters(), false);
      float[] actual = Tensors.toArray(small.parameters().tensor("pos_embed"));
      // Six values, by token and feature, from DINO's code in PyTorch for Python.
      int[] at = {0, 5, 384, 2 * 384 + 7, 3 * 384 + 100, 4 * 384 + 383};
      float[] expected = {0.0f, 0.049979f, -0.090179f, 0.027978f, -0.00156f, 0.358915f};
      for (int i = 0; i < at.length; i++) {
        assertEquals(expected[i], actual[at[i]], 1e-5, "value " + at[i]);
      }
    }
  }

  @Test
  void reportsMissingAndSurplusTensors() throws IOException, URISyntaxException {
    InputShape input = InputShape.image(3, 32, 32);
    try (Classifier resnet = classifier("resnet18", input, 4);
        Classifier lenet = classifier("lenet5", SMALL, 3)) {
      String text =
          assertThrows(
                  DataException.class,
                  () ->
                      Weights.load(
                          resource("lenet5.safetensors"),
                          resnet.architecture(),
                          resnet.parameters(),
                          false))
              .getMessage();
      assertTrue(text.contains("of the 100 tensors of resnet18 are missing"), text);
      assertTrue(text.contains("conv1.weight") || text.contains("bn1.weight"), text);
      Path extra =
          write(lenet.parameters(), name -> name.replace("head.bias", "layer5.0.conv1.weight"));
      text =
          assertThrows(
                  DataException.class,
                  () -> Weights.load(extra, lenet.architecture(), lenet.parameters(), false))
              .getMessage();
      assertTrue(
          text.endsWith(
              "found tensors that lenet5 does not have (1): layer5.0.conv1.weight. The file belongs"
                  + " to another network."),
          text);
      text =
          assertThrows(
                  DataException.class,
                  () ->
                      Weights.load(
                          resource("lenet5.pth"),
                          Architectures.named("lenet5"),
                          classifier("lenet5", InputShape.image(1, 28, 28), 3).parameters(),
                          false))
              .getMessage();
      assertTrue(text.endsWith("fc1.weight: shape [120, 16], expected [120, 400]."), text);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "resnet18, all, 62", "resnet18, last, 8", "resnet18, last:2, 17", "resnet18, norms, 42",
    "resnet18, frozen, 2", "densenet121, last, 10", "vit-small, last, 16", "vit-small, norms, 52"
  })
  void tunesAPart(String network, String tuning, int trainable) {
    try (Classifier classifier = classifier(network, InputShape.image(3, 32, 32), 4)) {
      classifier.tune(Tuning.parse(tuning));
      assertEquals(trainable, classifier.parameters().trainable().size());
    }
  }

  @Test
  void reportsPartsThatCannotBeTuned() {
    try (Classifier mlp = classifier("mlp", SMALL, 4);
        Classifier resnet = classifier("resnet18", InputShape.image(3, 32, 32), 4)) {
      assertEquals(
          "mlp has no blocks to tune.",
          assertThrows(DataException.class, () -> mlp.tune(Tuning.last(1))).getMessage());
      assertEquals(
          "mlp has no normalization layers to tune.",
          assertThrows(DataException.class, () -> mlp.tune(Tuning.NORMS)).getMessage());
      assertEquals(
          "resnet18 has only 8 blocks; the last 9 cannot be tuned.",
          assertThrows(DataException.class, () -> resnet.tune(Tuning.last(9))).getMessage());
    }
  }
}
