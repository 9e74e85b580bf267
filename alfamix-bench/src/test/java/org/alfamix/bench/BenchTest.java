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

/** The benchmarks measure what they say; how fast it is, is not for a test to judge. */
class BenchTest {

  @Test
  void aMeasurementRunsInAProcessOfItsOwn() throws Exception {
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
  void aMeasurementSurvivesTheWayToItsParent() {
    Measurement measured = new Measurement(1.5, 0.25, 42, 54, 81.5, "score 0.010 s");
    assertEquals(measured, Measurement.parse(measured.line()));
  }

  @Test
  void theSyntheticPoolHasCandidatesLikeARealOne() {
    Snapshot snapshot = SyntheticPool.of(5_000, 256, 10);
    Selection selection =
        Strategies.create("alfamix", Map.of("restarts", "1"))
            .select(snapshot, 50, new SplittableRandom(1));
    double share = selection.candidates() / 5_000.0;
    assertEquals(0.2, MixDiagnostics.of(selection).orElseThrow().cap(), 1e-9);
    assertTrue(share > 0.04 && share < 0.12, share + " of the pool flips");
  }

  @Test
  void bothBlockProductsAgree() {
    DotProducts products = new DotProducts();
    products.features = 64;
    products.prepare();
    float[] ours = products.alfamix();
    float[] theirs = new float[DotProducts.ROWS * DotProducts.OTHERS];
    products.openblas().get(theirs);
    for (int i = 0; i < theirs.length; i++) {
      assertEquals(theirs[i], ours[i], 1e-3);
    }
    products.release();
  }

  @Test
  void theAttackedNetworkKnowsItsDigits() {
    int[] labels = new int[3000];
    FloatMatrix images = AttackCommand.images(3000, labels);
    ReluNetwork network = AttackCommand.network(images, labels);
    FloatMatrix logits = network.logits(images.slice(2000, 3000));
    int right = 0;
    for (int i = 0; i < 1000; i++) {
      int predicted = Kernels.argmax(logits.array(), logits.rowOffset(i), 10);
      right += predicted == labels[2000 + i] ? 1 : 0;
    }
    assertTrue(right > 850, right + " of 1000 images that it was not fitted to");
  }
}
