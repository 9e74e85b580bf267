package org.alfamix.onnx;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.datasets.RowInputs;
import org.alfamix.datasets.Scaling;
import org.alfamix.io.DataException;
import org.alfamix.io.table.JsonTree;
import org.alfamix.learn.embed.Embedder;
import org.alfamix.learn.embed.EmbedderEngine;
import org.alfamix.learn.embed.EmbedderSpec;
import org.alfamix.math.FloatMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares files exported by PyTorch for Python with the features that it computed. */
class OnnxEmbeddersTest {
  private static final InputShape SHAPE = InputShape.image(3, 16, 16);

  private static Path resource(String name) throws URISyntaxException {
    return Path.of(OnnxEmbeddersTest.class.getResource("/onnx/" + name).toURI());
  }

  private static EmbedderSpec spec(Path file, InputShape shape) {
    return new EmbedderSpec(
        file.toString(), Optional.empty(), file, Scaling.none(shape), shape, 2, "cpu");
  }

  /** Repeats the two items of the Python reference. */
  private static Inputs sines(int items) {
    FloatMatrix values = FloatMatrix.zeros(items, SHAPE.length());
    for (int i = 0; i < items; i++) {
      for (int j = 0; j < SHAPE.length(); j++) {
        values.array()[values.rowOffset(i) + j] =
            (float) Math.sin(0.01 * (i % 2 * SHAPE.length() + j));
      }
    }
    return new RowInputs(SHAPE, values);
  }

  @ParameterizedTest
  @ValueSource(strings = {"small.onnx", "fixed.onnx"})
  void computesTheFeaturesOfPython(String file) throws URISyntaxException {
    List<JsonTree> rows = JsonTree.read(resource("small.json")).get("features").list();
    try (Embedder embedder = EmbedderEngine.find(spec(resource(file), SHAPE))) {
      assertEquals(5, embedder.features());
      FloatMatrix features = embedder.embed(sines(41), done -> {});
      for (int i = 0; i < 41; i++) {
        for (int d = 0; d < 5; d++) {
          assertEquals(rows.get(i % 2).list().get(d).number(), features.row(i)[d], 2e-6);
        }
      }
    }
  }

  /** The session must not be closed under a thread that is still computing. */
  @Test
  void reportsAFailureOnlyAfterAllThreadsHaveStopped() throws Exception {
    CountDownLatch reading = new CountDownLatch(1);
    CountDownLatch resume = new CountDownLatch(1);
    AtomicBoolean finished = new AtomicBoolean();
    Inputs inputs =
        new Inputs() {
          @Override
          public InputShape shape() {
            return SHAPE;
          }

          @Override
          public int size() {
            return 64;
          }

          @Override
          public void read(int item, float[] out, int offset) {
            try {
              if (item >= 8) {
                reading.countDown();
                resume.await();
                finished.set(true);
              } else {
                reading.await();
                throw new DataException("item " + item + " is broken.");
              }
            } catch (InterruptedException e) {
              throw new IllegalStateException(e);
            }
          }
        };
    try (Embedder embedder = EmbedderEngine.find(spec(resource("small.onnx"), SHAPE))) {
      CompletableFuture<Boolean> finishedBeforeTheFailure =
          CompletableFuture.supplyAsync(
              () -> {
                assertThrows(DataException.class, () -> embedder.embed(inputs, done -> {}));
                return finished.get();
              });
      reading.await();
      // Enough time for a failure that does not wait for the other thread.
      assertThrows(TimeoutException.class, () -> finishedBeforeTheFailure.get(300, MILLISECONDS));
      resume.countDown();
      assertTrue(finishedBeforeTheFailure.get());
    }
  }

  @Test
  void reportsIncompatibleImageSizes() throws URISyntaxException {
    Path file = resource("fixed.onnx");
    assertEquals(
        file
            + " expects inputs of shape any x 3 x 16 x 16, but images have any x 3 x 224 x 224"
            + " (items, channels, height, width); set height and width.",
        assertThrows(
                DataException.class,
                () -> EmbedderEngine.find(spec(file, InputShape.image(3, 224, 224))))
            .getMessage());
  }

  @Test
  void reportsFilesThatAreNotOnnx(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("no.onnx"), "hello");
    String text =
        assertThrows(DataException.class, () -> EmbedderEngine.find(spec(file, SHAPE)))
            .getMessage();
    assertTrue(text.startsWith(file + ": cannot be read as ONNX: "), text);
    assertEquals(1, text.lines().count());
  }
}
