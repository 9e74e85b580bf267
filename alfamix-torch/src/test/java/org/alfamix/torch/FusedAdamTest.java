package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.util.Map;
import org.alfamix.learn.Optimization;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.Tensor;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares the optimizer with the formulas of the papers on Adam and AdamW. */
class FusedAdamTest {

  @ParameterizedTest
  @CsvSource({"ADAM, 0", "ADAMW, 0", "ADAMW, 0.3"})
  void followsTheFormula(Optimization.Method method, double decay) {
    Torch.load();
    float[] start = {1, -2, 0.5f, 3};
    double[] expected = {1, -2, 0.5, 3};
    double[] mean = new double[4];
    double[] square = new double[4];
    float[] actual;
    try (Device device = new Device("cpu");
        Tensor x = Tensors.of(start, device, 2, 2)) {
      x.requires_grad_(true);
      try (FusedAdam adam = new FusedAdam(Map.of("x", x), method, decay)) {
        for (int step = 1; step <= 5; step++) {
          double rate = 0.1 / step;
          try (PointerScope scope = new PointerScope()) {
            x.mul(x).mul(x).sum().backward();
            adam.step(rate);
          }
          for (int i = 0; i < 4; i++) {
            double gradient = 3 * expected[i] * expected[i];
            mean[i] = 0.9 * mean[i] + 0.1 * gradient;
            square[i] = 0.999 * square[i] + 0.001 * gradient * gradient;
            double m = mean[i] / (1 - Math.pow(0.9, step));
            double v = square[i] / (1 - Math.pow(0.999, step));
            expected[i] -= rate * decay * expected[i];
            expected[i] -= rate * m / (Math.sqrt(v) + 1e-8);
          }
        }
      }
      actual = Tensors.toArray(x);
    }
    float[] rounded = new float[4];
    for (int i = 0; i < 4; i++) {
      rounded[i] = (float) expected[i];
    }
    assertArrayEquals(rounded, actual, 1e-4f);
  }
}
