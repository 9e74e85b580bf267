package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.alfamix.datasets.ByteInputs;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.RowInputs;
import org.alfamix.datasets.Scaling;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.learn.embed.Embedder;
import org.alfamix.learn.embed.EmbedderEngine;
import org.alfamix.learn.embed.EmbedderSpec;
import org.alfamix.learn.embed.FeatureCache;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TorchEmbeddersTest {
  private static final InputShape SHAPE = InputShape.image(3, 16, 16);

  @TempDir Path folder;

  private static Path resource(String name) throws URISyntaxException {
    return Path.of(TorchEmbeddersTest.class.getResource("/weights/" + name).toURI());
  }

  private static EmbedderSpec spec(Path file, Optional<String> network, InputShape shape) {
    return new EmbedderSpec(file.toString(), network, file, Scaling.none(shape), shape, 2, "cpu");
  }

  private static Inputs sines(InputShape shape, int items) {
    FloatMatrix values = FloatMatrix.zeros(items, shape.length());
    for (int i = 0; i < items; i++) {
      for (int j = 0; j < shape.length(); j++) {
        values.array()[values.rowOffset(i) + j] =
            (float) Math.sin(0.01f * (i * shape.length() + j));
      }
    }
    return new RowInputs(shape, values);
  }

  @Test
  void computesTheFeaturesOfPythonWithTorchScript() throws URISyntaxException {
    JsonTree expected = JsonTree.read(resource("small.json"));
    try (Embedder embedder =
        EmbedderEngine.find(spec(resource("small.pt"), Optional.empty(), SHAPE))) {
      assertEquals(5, embedder.features());
      FloatMatrix features = embedder.embed(sines(SHAPE, 2), done -> {});
      List<JsonTree> rows = expected.get("features").list();
      for (int i = 0; i < 2; i++) {
        for (int d = 0; d < 5; d++) {
          assertEquals(rows.get(i).list().get(d).number(), features.row(i)[d], 2e-6);
        }
      }
    }
  }

  @Test
  void requiresANetworkForAFileOfTensors() throws URISyntaxException {
    Path file = resource("lenet5.pth");
    InputShape small = InputShape.image(1, 12, 12);
    String text =
        assertThrows(
                DataException.class, () -> EmbedderEngine.find(spec(file, Optional.empty(), small)))
            .getMessage();
    assertTrue(text.contains("specify the network as NETWORK@" + file), text);
    JsonTree expected = JsonTree.read(resource("lenet5.json"));
    try (Embedder embedder = EmbedderEngine.find(spec(file, Optional.of("lenet5"), small))) {
      FloatMatrix features = embedder.embed(sines(small, 2), done -> {});
      assertEquals(
          expected.get("embeddings").list().get(1).list().get(7).number(),
          features.row(1)[7],
          2e-6);
    }
    text =
        assertThrows(
                DataException.class,
                () ->
                    EmbedderEngine.find(spec(resource("small.pt"), Optional.of("resnet18"), SHAPE)))
            .getMessage();
    assertTrue(text.contains("which contains its network"), text);
  }

  @Test
  void reportsAScriptForOtherImages() throws URISyntaxException {
    Path file = resource("small.pt");
    String text =
        assertThrows(
                DataException.class,
                () ->
                    EmbedderEngine.find(spec(file, Optional.empty(), InputShape.image(1, 16, 16))))
            .getMessage();
    assertTrue(text.startsWith(file + ": cannot process 1 x 16 x 16 pixels: "), text);
    assertEquals(1, text.lines().count(), text);
  }

  /** Counts the items whose features are computed. */
  private static final class Counting implements Embedder {
    private final String digest;
    private int computed;

    Counting(String digest) {
      this.digest = digest;
    }

    @Override
    public String name() {
      return "counting";
    }

    @Override
    public int features() {
      return 2;
    }

    @Override
    public String digest() {
      return digest;
    }

    @Override
    public FloatMatrix embed(Inputs inputs, java.util.function.IntConsumer progress) {
      computed += inputs.size();
      FloatMatrix features = FloatMatrix.zeros(inputs.size(), 2);
      for (int i = 0; i < inputs.size(); i++) {
        features.array()[features.rowOffset(i)] = i + 1;
      }
      return features;
    }

    @Override
    public void close() {}
  }

  private static Inputs bytes(int... values) {
    byte[] pixels = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      pixels[i] = (byte) values[i];
    }
    return new ByteInputs(InputShape.image(1, 1, 1), pixels);
  }

  @Test
  void computesFeaturesOnce() throws IOException {
    FeatureCache cache = new FeatureCache(folder);
    Counting one = new Counting("a");
    FloatMatrix first = cache.features(one, bytes(1, 2, 3), done -> {});
    FloatMatrix again = cache.features(one, bytes(1, 2, 3), done -> {});
    assertEquals(3, one.computed);
    assertArrayEquals(first.row(2), again.row(2));
    cache.features(one, bytes(1, 2, 4), done -> {});
    assertEquals(6, one.computed, "another item");
    cache.features(new Counting("b"), bytes(1, 2, 3), done -> {});
    try (Stream<Path> files = Files.list(folder.resolve("features"))) {
      List<Path> all = files.toList();
      assertEquals(6, all.size(), "one more file for other weights; each with a checksum");
      for (Path file : all) {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
      }
    }
    Counting later = new Counting("a");
    assertArrayEquals(first.row(2), cache.features(later, bytes(1, 2, 3), done -> {}).row(2));
    assertEquals(3, later.computed, "damaged files are computed again");
  }

  @Test
  void distinguishesScalingsByTheDigest() throws URISyntaxException {
    EmbedderSpec plain = spec(resource("small.pt"), Optional.empty(), SHAPE);
    EmbedderSpec scaled =
        new EmbedderSpec(
            plain.name(),
            plain.network(),
            plain.weights(),
            new Scaling(new float[] {1, 1, 1}, new float[] {1, 1, 1}),
            SHAPE,
            1,
            "cpu");
    try (Embedder one = EmbedderEngine.find(plain);
        Embedder two = EmbedderEngine.find(scaled)) {
      assertNotEquals(one.digest(), two.digest());
      assertFalse(one.digest().contains(resource("small.pt").toString()));
    }
  }
}
