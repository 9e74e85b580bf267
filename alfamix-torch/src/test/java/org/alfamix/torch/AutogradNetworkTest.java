package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.datasets.InputShape;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Network;
import org.alfamix.model.ReluNetwork;
import org.alfamix.torch.network.LeNet5;
import org.alfamix.torch.network.Mlp;
import org.bytedeco.pytorch.Device;
import org.junit.jupiter.api.Test;

class AutogradNetworkTest {

  private static FloatMatrix random(int rows, int columns, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    FloatMatrix result = FloatMatrix.zeros(rows, columns);
    for (int i = 0; i < result.array().length; i++) {
      result.array()[i] = (float) random.nextGaussian();
    }
    return result;
  }

  @Test
  void agreesWithTheComputationInJavaForAnMlp() {
    Torch.load();
    try (Device device = new Device("cpu");
        Classifier mlp = new Classifier(new Mlp(), InputShape.table(12), 5, device, 3)) {
      Network autograd = new AutogradNetwork(mlp, device);
      Network java = new ReluNetwork(mlp.backbone().hiddenLayer().orElseThrow(), mlp.head());
      FloatMatrix inputs = random(9, 12, 1).slice(1, 8);
      Network.Linearization expected = java.linearize(inputs);
      Network.Linearization actual = autograd.linearize(inputs);
      assertArrayEquals(expected.logits().array(), actual.logits().array(), 1e-5f);
      assertArrayEquals(expected.gradients().array(), actual.gradients().array(), 1e-5f);
      assertArrayEquals(expected.logits().array(), autograd.logits(inputs).array(), 1e-5f);
      assertEquals(0, autograd.linearize(FloatMatrix.zeros(0, 12)).logits().rows());
    }
  }

  @Test
  void returnsTheSlopeOfTheLogitsOfAConvolution() {
    Torch.load();
    try (Device device = new Device("cpu");
        Classifier lenet =
            new Classifier(LeNet5.STANDARD, InputShape.image(1, 12, 12), 4, device, 3)) {
      Network network = new AutogradNetwork(lenet, device);
      FloatMatrix inputs = random(3, 144, 2);
      Network.Linearization at = network.linearize(inputs);
      FloatMatrix direction = random(3, 144, 4);
      float step = 2e-4f;
      FloatMatrix moved = inputs.copy();
      IntStream.range(0, moved.array().length)
          .forEach(i -> moved.array()[i] += step * direction.array()[i]);
      FloatMatrix there = network.logits(moved);
      for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) {
          double slope = 0;
          for (int d = 0; d < 144; d++) {
            slope += at.gradients().get(i * 4 + k, d) * direction.get(i, d);
          }
          double measured = (there.get(i, k) - at.logits().get(i, k)) / step;
          assertEquals(slope, measured, 5e-3, i + ", " + k);
        }
      }
    }
  }

  /** Query strategies call the network from many threads at once. */
  @Test
  void allowsCallsFromSeveralThreads() {
    Torch.load();
    try (Device device = new Device("cpu");
        Classifier lenet =
            new Classifier(LeNet5.STANDARD, InputShape.image(1, 12, 12), 4, device, 3)) {
      Network network = new AutogradNetwork(lenet, device);
      FloatMatrix inputs = random(20, 144, 2);
      float[] expected = network.linearize(inputs).gradients().array();
      IntStream.range(0, 16)
          .parallel()
          .forEach(
              i ->
                  assertArrayEquals(
                      expected, network.linearize(inputs).gradients().array(), 1e-6f));
    }
  }
}
