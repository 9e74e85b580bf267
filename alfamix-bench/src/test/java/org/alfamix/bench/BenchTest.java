package org.alfamix.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import org.alfamix.bench.MeasureCommand.Measurement;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.ReluNetwork;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.MixDiagnostics;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;
import org.junit.jupiter.api.Test;

/** Tests the correctness of the benchmarks, not the speed. */
class BenchTest {

  @Test
  void measureRunsInASeparateProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                BenchCommand.class.getName(),
                "measure",
                "--help")
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    assertTrue(output.contains("--strategy"), output);
  }

  @Test
  void parsesItsPrintedLine() {
    Measurement measured = new Measurement(1.5, 0.25, 42, 54, 81.5, "score 0.010 s");
    assertEquals(measured, Measurement.parse(measured.line()));
  }

  @Test
  void syntheticPoolHasARealisticShareOfCandidates() {
    Snapshot snapshot = SyntheticPool.of(5_000, 256, 10);
    Selection selection =
        Strategies.create("alfamix", Map.of("restarts", "1"))
            .select(snapshot, 50, new SplittableRandom(1));
    double share = selection.candidates() / 5_000.0;
    assertEquals(0.2, MixDiagnostics.of(selection).orElseThrow().cap(), 1e-9);
    assertTrue(share > 0.04 && share < 0.12, share + " of the pool flips");
  }

  @Test
  void blockProductsAreEqual() {
    DotProducts products = new DotProducts();
    products.features = 64;
    products.prepare();
    float[] actual = products.alfamix();
    float[] expected = new float[DotProducts.ROWS * DotProducts.OTHERS];
    products.openblas().get(expected);
    for (int i = 0; i < expected.length; i++) {
      assertEquals(expected[i], actual[i], 1e-3);
    }
    products.release();
  }

  @Test
  void networkOfTheAttackIsAccurate() {
    int[] labels = new int[3000];
    FloatMatrix images = AttackCommand.images(3000, labels);
    ReluNetwork network = AttackCommand.network(images, labels);
    FloatMatrix logits = network.logits(images.slice(2000, 3000));
    int correct = 0;
    for (int i = 0; i < 1000; i++) {
      int predicted = Kernels.argmax(logits.array(), logits.rowOffset(i), 10);
      correct += predicted == labels[2000 + i] ? 1 : 0;
    }
    assertTrue(correct > 850, correct + " of 1000 held-out images are correct");
  }
}
