package org.alfamix.attack;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.golden.GoldenCase;
import org.alfamix.golden.NpyFile;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Network;
import org.alfamix.model.ReluNetwork;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Compares the three implementations of DeepFool with each other, with a literal one in double
 * precision, and with golden data.
 */
class DeepFoolTest {

  /** Hides the type of a network, so that the general implementation must be used. */
  private record OpaqueNetwork(Network network) implements Network {
    @Override
    public int inputs() {
      return network.inputs();
    }

    @Override
    public int classes() {
      return network.classes();
    }

    @Override
    public FloatMatrix logits(FloatMatrix inputs) {
      return network.logits(inputs);
    }

    @Override
    public Linearization linearize(FloatMatrix inputs) {
      return network.linearize(inputs);
    }
  }

  private static FloatMatrix gaussian(
      int rows, int columns, double scale, SplittableRandom random) {
    FloatMatrix result = FloatMatrix.zeros(rows, columns);
    for (int i = 0; i < result.array().length; i++) {
      result.array()[i] = (float) (scale * random.nextGaussian());
    }
    return result;
  }

  private static LinearHead layer(int out, int in, SplittableRandom random) {
    return new LinearHead(
        gaussian(out, in, 1 / Math.sqrt(in), random), gaussian(1, out, 0.3, random).array());
  }

  private static ReluNetwork network(int inputs, int units, int classes, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return new ReluNetwork(layer(units, inputs, random), layer(classes, units, random));
  }

  @Test
  void perturbationsMatchGoldenValues() {
    GoldenCase golden = GoldenCase.of("letter");
    ReluNetwork network =
        new ReluNetwork(
            new LinearHead(
                NpyFile.read("letter/deepfool_w1").matrix(),
                NpyFile.read("letter/deepfool_b1").floats()),
            golden.head());
    FloatMatrix x = NpyFile.read("letter/deepfool_x").matrix();
    double[] expected = golden.expected("deepfool_dist2");
    Perturbations[] found = {
      DeepFool.DEFAULT.attack(network, x),
      new ReluAttack(DeepFool.DEFAULT, network, true).run(x),
      new ReluAttack(DeepFool.DEFAULT, network, false).run(x),
      DeepFool.DEFAULT.attack(new OpaqueNetwork(network), x)
    };
    for (int path = 0; path < found.length; path++) {
      for (int i = 0; i < expected.length; i++) {
        double tolerance = 1e-4 * Math.max(1, expected[i]);
        assertEquals(expected[i], found[path].squaredNorms()[i], tolerance, path + ", row " + i);
      }
    }
  }

  /** Inputs, hidden units, classes: narrow and wide, one with partially filled vectors. */
  @ParameterizedTest
  @CsvSource({"40, 12, 3, 1", "9, 70, 11, 2", "100, 100, 2, 3", "64, 33, 10, 4"})
  void allImplementationsMatchTheReferenceImplementation(
      int inputs, int units, int classes, long seed) {
    ReluNetwork network = network(inputs, units, classes, seed);
    FloatMatrix x = gaussian(300, inputs, 1, new SplittableRandom(seed + 100));
    Perturbations byGram = new ReluAttack(DeepFool.DEFAULT, network, true).run(x);
    Perturbations byInput = new ReluAttack(DeepFool.DEFAULT, network, false).run(x);
    Perturbations general = DeepFool.DEFAULT.attack(new OpaqueNetwork(network), x);
    int changed = 0;
    for (int i = 0; i < x.rows(); i++) {
      double expected = literal(network, x.row(i), 50);
      double tolerance = 1e-3 * expected + 1e-5;
      assertEquals(expected, byGram.squaredNorms()[i], tolerance, "Gram, row " + i);
      assertEquals(expected, byInput.squaredNorms()[i], tolerance, "inputs, row " + i);
      assertEquals(expected, general.squaredNorms()[i], tolerance, "general, row " + i);
      assertEquals(general.predicted()[i], byGram.predicted()[i]);
      assertEquals(general.flipsTo()[i], byInput.flipsTo()[i]);
      changed += general.flipsTo()[i] != general.predicted()[i] ? 1 : 0;
    }
    assertTrue(changed > 250, changed + " changed class");
  }

  /** Returns the squared norm of an item's perturbation, with the algorithm of the paper. */
  private static double literal(ReluNetwork network, float[] input, int maxSteps) {
    int inputs = input.length;
    double[] eta = new double[inputs];
    double[] logits = logits(network, input, eta);
    int y = argmax(logits);
    for (int step = 0; argmax(logits) == y && step < maxSteps; step++) {
      double[][] gradients = gradients(network, input, eta);
      double least = Double.POSITIVE_INFINITY;
      double[] move = null;
      for (int k = 0; k < logits.length; k++) {
        double squared = 0;
        double[] normal = new double[inputs];
        for (int d = 0; d < inputs; d++) {
          normal[d] = gradients[k][d] - gradients[y][d];
          squared += normal[d] * normal[d];
        }
        double distance = Math.abs(logits[k] - logits[y]) / Math.sqrt(squared);
        if (k != y && squared > 0 && distance < least) {
          least = distance;
          for (int d = 0; d < inputs; d++) {
            normal[d] *= distance / Math.sqrt(squared) * (1 + 1e-4);
          }
          move = normal;
        }
      }
      if (move == null) {
        break; // flat: the item stays at its position
      }
      for (int d = 0; d < inputs; d++) {
        eta[d] += move[d];
      }
      logits = logits(network, input, eta);
    }
    return Arrays.stream(eta).map(value -> value * value).sum();
  }

  private static double[] hidden(ReluNetwork network, float[] input, double[] eta) {
    float[] bias = network.hidden().bias();
    double[] result = new double[bias.length];
    for (int j = 0; j < result.length; j++) {
      result[j] = bias[j];
      for (int d = 0; d < input.length; d++) {
        result[j] += network.hidden().weights().get(j, d) * (input[d] + eta[d]);
      }
    }
    return result;
  }

  private static double[] logits(ReluNetwork network, float[] input, double[] eta) {
    double[] hidden = hidden(network, input, eta);
    float[] bias = network.head().bias();
    double[] result = new double[bias.length];
    for (int k = 0; k < result.length; k++) {
      result[k] = bias[k];
      for (int j = 0; j < hidden.length; j++) {
        result[k] += network.head().weights().get(k, j) * Math.max(0, hidden[j]);
      }
    }
    return result;
  }

  private static double[][] gradients(ReluNetwork network, float[] input, double[] eta) {
    double[] hidden = hidden(network, input, eta);
    double[][] result = new double[network.classes()][input.length];
    for (int k = 0; k < result.length; k++) {
      for (int j = 0; j < hidden.length; j++) {
        if (hidden[j] > 0) {
          for (int d = 0; d < input.length; d++) {
            result[k][d] +=
                (double) network.head().weights().get(k, j) * network.hidden().weights().get(j, d);
          }
        }
      }
    }
    return result;
  }

  private static int argmax(double[] x) {
    int best = 0;
    for (int k = 1; k < x.length; k++) {
      best = x[k] > x[best] ? k : best;
    }
    return best;
  }

  @Test
  void gradientsOfTheReluNetworkMatchFiniteDifferences() {
    ReluNetwork network = network(7, 9, 4, 5);
    FloatMatrix x = gaussian(5, 7, 1, new SplittableRandom(6));
    FloatMatrix found = network.linearize(x).gradients();
    for (int i = 0; i < 5; i++) {
      for (int d = 0; d < 7; d++) {
        double width = 1e-6;
        double[] eta = new double[7];
        eta[d] = width;
        double[] above = logits(network, x.row(i), eta);
        eta[d] = -width;
        double[] below = logits(network, x.row(i), eta);
        for (int k = 0; k < 4; k++) {
          double expected = (above[k] - below[k]) / (2 * width);
          assertEquals(expected, found.get(i * 4 + k, d), 1e-5);
        }
      }
    }
  }

  @Test
  void linearAttackStopsAtTheNearestBoundary() {
    LinearHead head =
        new LinearHead(
            FloatMatrix.of(new float[] {1, 0}, new float[] {-1, 0}, new float[] {0, 5}),
            new float[3]);
    // Logits 3, −3, 5·0.1: the boundary with class 2 is nearer than that with class 1.
    Perturbations found = DeepFool.DEFAULT.attack(head, FloatMatrix.of(new float[] {3, 0.1f}));
    double distance = (3 - 0.5) / Math.sqrt(26) * 1.0001;
    assertEquals(distance * distance, found.squaredNorms()[0], 1e-5);
    assertEquals(0, found.predicted()[0]);
    assertEquals(2, found.flipsTo()[0]);
  }

  @Test
  void reportsItemsAtWhichTheNetworkIsFlat() {
    // All hidden units are off: the gradient is zero.
    ReluNetwork dead =
        new ReluNetwork(
            new LinearHead(FloatMatrix.zeros(4, 3), new float[] {-1, -1, -1, -1}),
            network(3, 4, 2, 1).head());
    FloatMatrix x = gaussian(10, 3, 1, new SplittableRandom(1));
    for (Network each : new Network[] {dead, new OpaqueNetwork(dead)}) {
      Perturbations found = DeepFool.DEFAULT.attack(each, x);
      assertTrue(IntStream.range(0, 10).allMatch(found::isFlat));
    }
    assertTrue(DeepFool.DEFAULT.attack(network(3, 4, 1, 1), x).isFlat(0));
    assertTrue(
        DeepFool.DEFAULT
            .attack(new LinearHead(FloatMatrix.zeros(2, 3), new float[2]), x)
            .isFlat(3));
  }

  /** Few units and low biases: many items are flat, or become flat during the attack. */
  @ParameterizedTest
  @CsvSource({"60, 30, 4", "1, 5, 3", "9, 4, 5"})
  void stopsAtFlatPositions(int inputs, int units, int classes) {
    SplittableRandom random = new SplittableRandom(units);
    float[] low = new float[units];
    Arrays.fill(low, -1.2f);
    ReluNetwork network =
        new ReluNetwork(
            new LinearHead(gaussian(units, inputs, 1 / Math.sqrt(inputs), random), low),
            layer(classes, units, random));
    FloatMatrix x = gaussian(300, inputs, 1, random);
    Perturbations byGram = new ReluAttack(DeepFool.DEFAULT, network, true).run(x);
    Perturbations byInput = new ReluAttack(DeepFool.DEFAULT, network, false).run(x);
    Perturbations general = DeepFool.DEFAULT.attack(new OpaqueNetwork(network), x);
    int flat = 0;
    int stayed = 0;
    for (int i = 0; i < 300; i++) {
      double expected = literal(network, x.row(i), 50);
      double tolerance = 1e-3 * expected + 1e-5;
      assertEquals(expected, byGram.squaredNorms()[i], tolerance, "Gram, row " + i);
      assertEquals(expected, byInput.squaredNorms()[i], tolerance, "inputs, row " + i);
      assertEquals(expected, general.squaredNorms()[i], tolerance, "general, row " + i);
      flat += byGram.isFlat(i) ? 1 : 0;
      stayed += expected > 0 && byGram.predicted()[i] == byGram.flipsTo()[i] ? 1 : 0;
    }
    assertTrue(flat > 0, "some items must be flat from the start");
    assertTrue(stayed > 0 || inputs != 9, "some items must become flat");
    Selection selection =
        Strategies.create("dfal", Map.of())
            .select(snapshot(network, network, x), 300, new SplittableRandom(1));
    for (int p = 0; p < 300; p++) {
      int item = selection.items()[p];
      boolean last = p >= 300 - flat;
      assertEquals(last, byGram.isFlat(item), "flat items come last");
      assertEquals(last, Double.isInfinite(selection.picks().get(p).score()));
    }
  }

  /** Rows of V that are nearly equal: with only the Gram matrix, all digits would be lost. */
  @ParameterizedTest
  @CsvSource({"0.1", "0.03", "0.01", "0.003", "0.001"})
  void keepsPrecisionWithNearlyEqualHiddenUnits(double noise) {
    int inputs = 60;
    int units = 30;
    SplittableRandom random = new SplittableRandom(5);
    FloatMatrix hidden = FloatMatrix.zeros(units, inputs);
    for (int at = 0; at < hidden.array().length; at++) {
      hidden.array()[at] = (float) ((1 + noise * random.nextGaussian()) / Math.sqrt(inputs));
    }
    FloatMatrix weights = gaussian(10, units, 1, random);
    for (int k = 0; k < 10; k++) {
      double mean = 0;
      for (float value : weights.row(k)) {
        mean += value / units;
      }
      for (int j = 0; j < units; j++) {
        weights.set(k, j, (float) (weights.get(k, j) - mean));
      }
    }
    ReluNetwork network =
        new ReluNetwork(
            new LinearHead(hidden, new float[units]),
            new LinearHead(weights, gaussian(1, 10, 0.01, random).array()));
    FloatMatrix x = gaussian(200, inputs, 1, random);
    for (int at = 0; at < x.array().length; at++) {
      x.array()[at] += 1;
    }
    double[] found = DeepFool.DEFAULT.attack(network, x).squaredNorms();
    double[] general = DeepFool.DEFAULT.attack(new OpaqueNetwork(network), x).squaredNorms();
    int off = 0;
    int generalOff = 0;
    for (int i = 0; i < 200; i++) {
      double expected = literal(network, x.row(i), 50);
      off += Math.abs(found[i] - expected) > 5e-3 * expected + 1e-6 ? 1 : 0;
      generalOff += Math.abs(general[i] - expected) > 5e-3 * expected + 1e-6 ? 1 : 0;
    }
    // Rounding to float makes some items differ; lost digits would affect most.
    assertTrue(
        off <= 10 + 1.5 * generalOff,
        off + " of 200 differ; with the general implementation " + generalOff);
  }

  /** Two nearly equal hidden units: uᵀG u may be rounded to 0, although no item is flat. */
  @Test
  void differencesThatCancelToZeroAreNotFlat() {
    SplittableRandom random = new SplittableRandom(6);
    int flat = 0;
    for (int run = 0; run < 40; run++) {
      FloatMatrix hidden = gaussian(2, 8, 1, random);
      for (int d = 0; d < 8; d++) {
        hidden.set(1, d, hidden.get(0, d) + (d == 3 ? 1e-4f : 0));
      }
      ReluNetwork network =
          new ReluNetwork(
              new LinearHead(hidden, new float[] {0.01f, 0}),
              new LinearHead(
                  FloatMatrix.of(new float[] {1, -1}, new float[] {-1, 1}), new float[2]));
      FloatMatrix x = gaussian(50, 8, 1, random);
      Perturbations found = DeepFool.DEFAULT.attack(network, x);
      Perturbations general = DeepFool.DEFAULT.attack(new OpaqueNetwork(network), x);
      for (int i = 0; i < 50; i++) {
        assertEquals(general.isFlat(i), found.isFlat(i), "run " + run + ", row " + i);
        flat += found.isFlat(i) ? 1 : 0;
      }
    }
    assertTrue(flat > 0 && flat < 2000, flat + " items are flat because both units are off");
  }

  @Test
  void predictsTheFirstOfEqualLogits() {
    SplittableRandom random = new SplittableRandom(7);
    FloatMatrix hidden = FloatMatrix.zeros(6, 8);
    FloatMatrix weights = FloatMatrix.zeros(5, 6);
    for (float[] each : new float[][] {hidden.array(), weights.array()}) {
      for (int at = 0; at < each.length; at++) {
        each[at] = random.nextInt(-2, 3);
      }
    }
    // Class 3 is a copy of class 1; the others differ.
    weights.slice(1, 2).copyTo(weights, 3);
    ReluNetwork network =
        new ReluNetwork(
            new LinearHead(hidden, new float[6]),
            new LinearHead(weights, new float[] {0.1f, 0.7f, 0.3f, 0.7f, -0.2f}));
    FloatMatrix x = FloatMatrix.zeros(300, 8);
    for (int at = 0; at < x.array().length; at++) {
      x.array()[at] = random.nextInt(-3, 4);
    }
    Perturbations found = DeepFool.DEFAULT.attack(network, x);
    FloatMatrix logits = network.logits(x);
    int ones = 0;
    for (int i = 0; i < 300; i++) {
      assertEquals(Kernels.argmax(logits.array(), logits.rowOffset(i), 5), found.predicted()[i]);
      assertNotEquals(3, found.predicted()[i]);
      ones += found.predicted()[i] == 1 ? 1 : 0;
    }
    assertTrue(ones > 0);
  }

  @Test
  void ignoresACommonOffsetOfAllLogits() {
    ReluNetwork plain = network(40, 30, 5, 8);
    float[] bias = plain.head().bias();
    for (int k = 0; k < 5; k++) {
      bias[k] += 1000;
    }
    ReluNetwork shifted =
        new ReluNetwork(plain.hidden(), new LinearHead(plain.head().weights(), bias));
    FloatMatrix x = gaussian(200, 40, 1, new SplittableRandom(9));
    double[] one = DeepFool.DEFAULT.attack(plain, x).squaredNorms();
    double[] other = DeepFool.DEFAULT.attack(shifted, x).squaredNorms();
    for (int i = 0; i < 200; i++) {
      assertEquals(one[i], other[i], 1e-2 * one[i] + 1e-4, "row " + i);
    }
  }

  @Test
  void limitsMemoryForManyClasses() {
    // A batch of 64 items would have 64 · 3,000 · 512 coefficients, 400 MB, and as many products.
    ReluNetwork wide = network(600, 512, 3000, 3);
    Perturbations found =
        DeepFool.DEFAULT.attack(wide, gaussian(3, 600, 1, new SplittableRandom(4)));
    assertTrue(Arrays.stream(found.squaredNorms()).allMatch(norm -> norm > 0));
  }

  @Test
  void rejectsGradientsBeyondTheRangeOfFloat() {
    ReluNetwork plain = network(10, 8, 3, 2);
    ReluNetwork huge = new ReluNetwork(scaled(plain.hidden()), scaled(plain.head()));
    FloatMatrix x = gaussian(5, 10, 1, new SplittableRandom(1));
    for (Network each : new Network[] {huge, new OpaqueNetwork(huge)}) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> DeepFool.DEFAULT.attack(each, x))
              .getMessage();
      assertTrue(message.endsWith("scale its weights down."), message);
    }
  }

  private static LinearHead scaled(LinearHead layer) {
    FloatMatrix weights = layer.weights().copy();
    for (int at = 0; at < weights.array().length; at++) {
      weights.array()[at] *= 1e12f;
    }
    return new LinearHead(weights, layer.bias());
  }

  @Test
  void reportsNonFiniteGradientsOfANetwork() {
    ReluNetwork relu = network(6, 8, 3, 2);
    FloatMatrix x = gaussian(5, 6, 1, new SplittableRandom(1));
    Network nan =
        new Network() {
          @Override
          public int inputs() {
            return 6;
          }

          @Override
          public int classes() {
            return 3;
          }

          @Override
          public FloatMatrix logits(FloatMatrix inputs) {
            return relu.logits(inputs);
          }

          @Override
          public Linearization linearize(FloatMatrix inputs) {
            FloatMatrix gradients = relu.linearize(inputs).gradients();
            gradients.set(0, 0, Float.NaN);
            return new Linearization(relu.logits(inputs), gradients);
          }
        };
    Snapshot snapshot = snapshot(nan, relu, x);
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () ->
                    Strategies.create("dfal", Map.of())
                        .select(snapshot, 2, new SplittableRandom(1)))
            .getMessage();
    assertEquals(
        "gradients of the network: row 0, column 0 is NaN, expected a finite number.", message);
  }

  @Test
  void stopsAfterTheMaximumNumberOfSteps() {
    ReluNetwork network = network(20, 30, 5, 8);
    FloatMatrix x = gaussian(400, 20, 2, new SplittableRandom(9));
    DeepFool once = new DeepFool(1, 1e-4);
    Perturbations relu = once.attack(network, x);
    Perturbations general = once.attack(new OpaqueNetwork(network), x);
    long unchanged =
        IntStream.range(0, 400).filter(i -> relu.flipsTo()[i] == relu.predicted()[i]).count();
    assertTrue(unchanged > 0 && unchanged < 400, unchanged + " kept their class");
    for (int i = 0; i < 400; i++) {
      double expected = literal(network, x.row(i), 1);
      assertEquals(expected, relu.squaredNorms()[i], 1e-3 * expected + 1e-6);
      assertEquals(expected, general.squaredNorms()[i], 1e-3 * expected + 1e-6);
    }
  }

  private static Snapshot snapshot(Network network, ReluNetwork relu, FloatMatrix x) {
    FloatMatrix embeddings = relu.embed(x);
    return Snapshot.of(embeddings)
        .labelled(embeddings.slice(0, 4), 0, 1, 2, 0)
        .head(relu.head())
        .network(network, x)
        .build();
  }

  @Test
  void strategyPicksTheSmallestPerturbationsOnAnyNumberOfThreads() {
    ReluNetwork relu = network(16, 24, 6, 11);
    FloatMatrix x = gaussian(5000, 16, 1, new SplittableRandom(12));
    double[] norms = DeepFool.DEFAULT.attack(relu, x).squaredNorms();
    int[] expected =
        IntStream.range(0, 5000)
            .boxed()
            .sorted((i, j) -> Double.compare(norms[i], norms[j]))
            .mapToInt(Integer::intValue)
            .limit(40)
            .toArray();
    for (Network network : new Network[] {relu, new OpaqueNetwork(relu)}) {
      Snapshot snapshot = snapshot(network, relu, x);
      for (int threads : new int[] {1, 8}) {
        Selection selection =
            Parallel.with(
                threads,
                () ->
                    Strategies.create("dfal", Map.of())
                        .select(snapshot, 40, new SplittableRandom(1)));
        if (network == relu) {
          assertArrayEquals(expected, selection.items());
        } else {
          long same =
              Arrays.stream(selection.items())
                  .filter(item -> Arrays.stream(expected).anyMatch(other -> other == item))
                  .count();
          assertTrue(same >= 38, same + " of 40 in common");
        }
        assertEquals("the inputs of the network", selection.notes().get("perturbed"));
        Pick first = selection.picks().get(0);
        assertTrue(
            first
                .reason()
                .matches("predicted \\d, flips to \\d when its input changes by [\\d.e-]+"),
            first.reason());
      }
    }
  }

  @Test
  void perturbsEmbeddingsWithoutANetwork() {
    ReluNetwork relu = network(16, 24, 6, 11);
    FloatMatrix x = gaussian(200, 16, 1, new SplittableRandom(12));
    Snapshot bare = Snapshot.of(relu.embed(x)).head(relu.head()).build();
    Selection selection =
        Strategies.create("dfal", Map.of()).select(bare, 10, new SplittableRandom(1));
    assertTrue(
        selection.notes().get("perturbed").startsWith("the embeddings under the linear head"));
    assertTrue(selection.picks().get(0).reason().contains("its embedding changes by"));
    assertNotEquals(
        Arrays.toString(selection.items()),
        Arrays.toString(
            Strategies.create("dfal", Map.of())
                .select(snapshot(relu, relu, x), 10, new SplittableRandom(1))
                .items()));
  }

  @Test
  void rejectsANetworkThatDoesNotMatchTheSnapshot() {
    ReluNetwork relu = network(16, 24, 6, 11);
    FloatMatrix x = gaussian(20, 16, 1, new SplittableRandom(12));
    FloatMatrix z = relu.embed(x);
    String rows =
        assertThrows(
                IllegalArgumentException.class,
                () -> Snapshot.of(z).network(relu, x.slice(0, 19)).build())
            .getMessage();
    assertEquals("rows of the network's inputs: expected 20, found 19.", rows);
    String columns =
        assertThrows(
                IllegalArgumentException.class,
                () -> Snapshot.of(z).network(relu, FloatMatrix.zeros(20, 15)).build())
            .getMessage();
    assertEquals("length of the network's inputs: expected 16, found 15.", columns);
    x.set(3, 2, Float.NaN);
    String value =
        assertThrows(IllegalArgumentException.class, () -> Snapshot.of(z).network(relu, x).build())
            .getMessage();
    assertEquals("inputs of the network: row 3, column 2 is NaN, expected a finite number.", value);
  }
}
