package org.alfamix.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.alfamix.attack.DeepFool;
import org.alfamix.attack.Perturbations;
import org.alfamix.datasets.EmbeddedTable;
import org.alfamix.datasets.Table;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.model.LinearHead;
import org.alfamix.model.LogisticRegression;
import org.alfamix.model.Network;
import org.alfamix.model.ReluNetwork;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures DeepFool on a perceptron for images of MNIST's size, with gradients in closed form and
 * with gradients of a general network.
 */
@Command(
    name = "attack",
    description = {
      "Measure DeepFool on a ReLU perceptron with 784 inputs, 256 hidden units and 10 classes.",
      "",
      "The images are the built-in digits, enlarged to 28 x 28, shifted and with noise. The hidden"
          + " layer is random, and the head is fitted to 2,000 images.",
      ""
    },
    mixinStandardHelpOptions = true,
    showDefaultValues = true)
final class AttackCommand implements Callable<Integer> {
  private static final int SIDE = 28;
  private static final int UNITS = 256;
  private static final int FITTED = 2000;

  @Option(names = "--items", description = "Number of images.", defaultValue = "49900")
  private int items;

  @Option(names = "--threads", description = "Number of threads.", defaultValue = "2")
  private int threads;

  /** The same network, reduced to logits and gradients. */
  private record ByGradients(ReluNetwork network) implements Network {
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

  @Override
  public Integer call() {
    System.out.println("Measured on: " + Machine.description() + "; " + threads + " threads.");
    System.out.println();
    System.out.println(
        "| network | items | gradients | seconds, cold | goal | changed class | median"
            + " ‖perturbation‖ |");
    System.out.println("|---|---:|---|---:|---:|---:|---:|");
    int[] labels = new int[items];
    FloatMatrix images = images(items, labels);
    ReluNetwork network = network(images, labels);
    Parallel.with(
        threads,
        () -> {
          row(network, images, "closed form", "< 15");
          row(new ByGradients(network), images, "by linearization", "");
          return null;
        });
    return 0;
  }

  private static void row(Network network, FloatMatrix images, String gradients, String goal) {
    long start = System.nanoTime();
    Perturbations perturbations = DeepFool.DEFAULT.attack(network, images);
    double seconds = (System.nanoTime() - start) / 1e9;
    int changed = 0;
    for (int i = 0; i < images.rows(); i++) {
      changed += perturbations.predicted()[i] != perturbations.flipsTo()[i] ? 1 : 0;
    }
    System.out.printf(
        Locale.ROOT,
        "| %d–%d–%d | %,d | %s | %.2f | %s | %.1f %% | %.4f |%n",
        network.inputs(),
        UNITS,
        network.classes(),
        images.rows(),
        gradients,
        seconds,
        goal,
        100.0 * changed / images.rows(),
        Math.sqrt(Peer.median(perturbations.squaredNorms())));
    System.out.flush();
  }

  /** Returns digits of 28 × 28 values from 0 to 1, each with a random shift and noise. */
  static FloatMatrix images(int count, int[] labels) {
    Table digits = EmbeddedTable.DIGITS.read();
    FloatMatrix result = FloatMatrix.zeros(count, SIDE * SIDE);
    Parallel.forBlocks(
        count,
        256,
        (from, to) -> {
          SplittableRandom random = new SplittableRandom(from);
          for (int i = from; i < to; i++) {
            int source = random.nextInt(digits.features().rows());
            labels[i] = digits.labels()[source];
            enlarge(digits.features().row(source), random, result, i);
          }
        });
    return result;
  }

  private static void enlarge(
      float[] digit, SplittableRandom random, FloatMatrix result, int item) {
    double shiftX = 0.6 * random.nextDouble() - 0.3;
    double shiftY = 0.6 * random.nextDouble() - 0.3;
    for (int y = 0; y < SIDE; y++) {
      for (int x = 0; x < SIDE; x++) {
        double value =
            interpolate(digit, x * 7.0 / (SIDE - 1) + shiftX, y * 7.0 / (SIDE - 1) + shiftY);
        double noisy = value / 16 + 0.02 * random.nextGaussian();
        result.set(item, y * SIDE + x, (float) Math.max(0, Math.min(1, noisy)));
      }
    }
  }

  /** Interpolates between four pixels. */
  private static double interpolate(float[] digit, double x, double y) {
    double cx = Math.max(0, Math.min(6.999, x));
    double cy = Math.max(0, Math.min(6.999, y));
    int left = (int) cx;
    int top = (int) cy;
    double right = cx - left;
    double bottom = cy - top;
    int first = top * 8 + left;
    return (1 - bottom) * ((1 - right) * digit[first] + right * digit[first + 1])
        + bottom * ((1 - right) * digit[first + 8] + right * digit[first + 9]);
  }

  static ReluNetwork network(FloatMatrix images, int[] labels) {
    SplittableRandom random = new SplittableRandom(1);
    FloatMatrix weights = FloatMatrix.zeros(UNITS, SIDE * SIDE);
    double scale = Math.sqrt(2.0 / (SIDE * SIDE));
    for (int at = 0; at < weights.array().length; at++) {
      weights.array()[at] = (float) (scale * random.nextGaussian());
    }
    LinearHead hidden = new LinearHead(weights, new float[UNITS]);
    LinearHead unfitted = new LinearHead(FloatMatrix.zeros(10, UNITS), new float[10]);
    int count = Math.min(FITTED, images.rows());
    FloatMatrix embeddings = new ReluNetwork(hidden, unfitted).embed(images.slice(0, count));
    LogisticRegression.Fit fit =
        LogisticRegression.fit(
            embeddings,
            Arrays.copyOf(labels, count),
            10,
            new LogisticRegression.Options(0.1, 300, 1e-4));
    return new ReluNetwork(hidden, fit.head());
  }
}
