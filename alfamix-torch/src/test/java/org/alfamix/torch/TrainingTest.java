package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Inputs;
import org.alfamix.learn.Augmentation;
import org.alfamix.learn.Optimization;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.learn.Tuning;
import org.alfamix.math.Parallel;
import org.bytedeco.pytorch.Device;
import org.junit.jupiter.api.Test;

class TrainingTest {
  private static final Dataset DATA = Sets.corners(3, 32, 80);

  private static Map<String, float[]> weights(
      long maxCachedValues, Augmentation augmentation, Tuning tuning, String network) {
    Torch.load();
    Torch.setThreads(1);
    TrainingOptions options =
        TrainingOptions.of(network, DATA.shape())
            .withEpochs(2)
            .withGoal(1)
            .withBatch(8)
            .withAugmentation(augmentation);
    int[] items = Sets.first(20);
    try (Device device = new Device("cpu");
        Classifier classifier =
            new Classifier(Architectures.named(network), DATA.shape(), DATA.classes(), device, 1)) {
      classifier.tune(tuning);
      ScaledInputs inputs = new ScaledInputs(DATA.pool().inputs(), items, DATA.scaling());
      int[] labels = DATA.pool().labelsOf(items);
      try (Training training =
          new Training(classifier, inputs, labels, options, device, 5, maxCachedValues)) {
        training.run((epoch, accuracy, loss) -> {});
      }
      return classifier.parameters().values();
    }
  }

  @Test
  void trainsTheSameOnItemsReadPerBatch() {
    Map<String, float[]> cached = weights(1L << 30, Augmentation.NONE, Tuning.ALL, "lenet5");
    Map<String, float[]> read = weights(0, Augmentation.NONE, Tuning.ALL, "lenet5");
    cached.forEach((name, values) -> assertArrayEquals(values, read.get(name), name));
  }

  @Test
  void augmentsImagesReproduciblyForASeed() {
    Augmentation both = Augmentation.parse("crop,flip");
    Map<String, float[]> plain = weights(1L << 30, Augmentation.NONE, Tuning.ALL, "lenet5");
    Map<String, float[]> once = weights(1L << 30, both, Tuning.ALL, "lenet5");
    Map<String, float[]> again = weights(0, both, Tuning.ALL, "lenet5");
    assertFalse(Arrays.equals(plain.get("conv1.weight"), once.get("conv1.weight")));
    once.forEach((name, values) -> assertArrayEquals(values, again.get(name), name));
    assertEquals("crop,flip", both.toString());
    assertEquals(new Augmentation(8, false), Augmentation.parse("crop=8"));
    assertTrue(Augmentation.parse("none").isNone());
  }

  /**
   * Frozen tensors do not change by a single bit, including the running statistics of batch norms.
   */
  @Test
  void keepsFrozenTensorsUnchanged() {
    Map<String, float[]> before;
    try (Device device = new Device("cpu");
        Classifier fresh =
            new Classifier(
                Architectures.named("resnet18"), DATA.shape(), DATA.classes(), device, 1)) {
      before = fresh.parameters().values();
    }
    Map<String, float[]> last = weights(1L << 30, Augmentation.NONE, Tuning.last(1), "resnet18");
    Map<String, float[]> norms = weights(1L << 30, Augmentation.NONE, Tuning.NORMS, "resnet18");
    Map<String, float[]> frozen = weights(1L << 30, Augmentation.NONE, Tuning.FROZEN, "resnet18");
    before.forEach(
        (name, values) -> {
          boolean head = name.startsWith("fc.");
          boolean ofLast = name.startsWith("layer4.1.");
          boolean norm = name.contains("bn") || name.contains("downsample.1");
          assertEquals(!head && !ofLast, Arrays.equals(values, last.get(name)), name);
          assertEquals(!head && !norm, Arrays.equals(values, norms.get(name)), name);
          assertEquals(!head, Arrays.equals(values, frozen.get(name)), name);
        });
  }

  /** Images with a random brightness in each view; counts the views. */
  private record Flickering(Inputs origin, AtomicInteger views) implements Inputs {
    @Override
    public int size() {
      return origin.size();
    }

    @Override
    public InputShape shape() {
      return origin.shape();
    }

    @Override
    public void read(int item, float[] target, int offset) {
      origin.read(item, target, offset);
    }

    @Override
    public boolean hasBytes() {
      return true;
    }

    @Override
    public void readBytes(int item, byte[] target, int offset) {
      origin.readBytes(item, target, offset);
    }

    @Override
    public boolean hasRandomViews() {
      return true;
    }

    @Override
    public void readRandomView(int item, RandomGenerator random, byte[] target, int offset) {
      views.incrementAndGet();
      origin.readBytes(item, target, offset);
      int by = random.nextInt(60);
      for (int i = offset; i < offset + shape().length(); i++) {
        target[i] = (byte) Math.min(255, (target[i] & 0xff) + by);
      }
    }
  }

  private static float[] withRandomViews(int threads, AtomicInteger views) {
    Torch.load();
    Torch.setThreads(1);
    TrainingOptions options =
        TrainingOptions.of("lenet5", DATA.shape())
            .withEpochs(3)
            .withGoal(TrainingOptions.NO_GOAL)
            .withBatch(8)
            .withOptimization(
                new Optimization(Optimization.Method.ADAMW, 0.05, 1, Optional.of(1e-4)));
    int[] items = Sets.first(20);
    try (Device device = new Device("cpu");
        Classifier classifier =
            new Classifier(
                Architectures.named("lenet5"), DATA.shape(), DATA.classes(), device, 1)) {
      ScaledInputs inputs =
          new ScaledInputs(new Flickering(DATA.pool().inputs(), views), items, DATA.scaling());
      int[] labels = DATA.pool().labelsOf(items);
      try (Training training =
          new Training(classifier, inputs, labels, options, device, 5, 1L << 30)) {
        Parallel.with(threads, () -> training.run((epoch, accuracy, loss) -> {}));
      }
      return classifier.parameters().values().get("conv1.weight");
    }
  }

  @Test
  void readsRandomViewsInEachEpochByTheSeed() {
    AtomicInteger views = new AtomicInteger();
    float[] one = withRandomViews(1, views);
    assertEquals(3 * 20, views.get(), "each item once per epoch");
    assertArrayEquals(
        one, withRandomViews(8, new AtomicInteger()), "the same with any number of threads");
  }

  @Test
  void trainsForAllEpochsWithoutAGoal() {
    Torch.load();
    TrainingOptions options =
        TrainingOptions.of("lenet5", DATA.shape()).withEpochs(40).withBatch(8);
    int[] items = Sets.first(8);
    int[] epochs = new int[2];
    for (int i = 0; i < 2; i++) {
      try (Device device = new Device("cpu");
          Classifier classifier =
              new Classifier(
                  Architectures.named("lenet5"), DATA.shape(), DATA.classes(), device, 1);
          Training training =
              new Training(
                  classifier,
                  new ScaledInputs(DATA.pool().inputs(), items, DATA.scaling()),
                  DATA.pool().labelsOf(items),
                  options.withGoal(i == 0 ? 1 : TrainingOptions.NO_GOAL),
                  device,
                  5,
                  1L << 30)) {
        epochs[i] = training.run((epoch, accuracy, loss) -> {}).epochs();
      }
    }
    assertTrue(
        epochs[0] < 40, "with a goal of 1, training ended after %d epochs".formatted(epochs[0]));
    assertEquals(40, epochs[1]);
  }
}
