package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Map;
import org.alfamix.dataset.Dataset;
import org.alfamix.learn.Augmentation;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.learn.Tuning;
import org.bytedeco.pytorch.Device;
import org.junit.jupiter.api.Test;

class TrainingTest {
  private static final Dataset DATA = Sets.corners(3, 32, 80);

  private static Map<String, float[]> weights(
      long mostKept, Augmentation augmentation, Tuning tuning, String network) {
    Torch.load();
    Torch.threads(1);
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
          new Training(classifier, inputs, labels, options, device, 5, mostKept)) {
        training.run((epoch, accuracy, loss) -> {});
      }
      return classifier.parameters().values();
    }
  }

  @Test
  void itemsThatAreReadInTimeTeachTheSame() {
    Map<String, float[]> kept = weights(1L << 30, Augmentation.NONE, Tuning.ALL, "lenet5");
    Map<String, float[]> read = weights(0, Augmentation.NONE, Tuning.ALL, "lenet5");
    kept.forEach((name, values) -> assertArrayEquals(values, read.get(name), name));
  }

  @Test
  void augmentedImagesAreOthersButTheSameForASeed() {
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

  /** What is not tuned stays to the last bit, what batch norms remember included. */
  @Test
  void whatIsNotTunedStays() {
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
}
