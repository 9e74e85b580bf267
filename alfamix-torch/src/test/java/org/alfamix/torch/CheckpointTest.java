package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.InputShape;
import org.alfamix.datasets.Scaling;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.io.array.Safetensors;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.Optimization;
import org.alfamix.learn.Pretraining;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.learn.TrainingRecord;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointTest {
  private static final LearnerEngine ENGINE = LearnerEngine.find();

  @TempDir Path folder;

  private FloatMatrix save(Path file, Dataset data, String network) {
    LearnerSpec spec = LearnerSpec.of(network, data, 1L << 60).withDevice("cpu").withThreads(2);
    spec = spec.withTraining(spec.training().withEpochs(2).withDropout(0.25));
    int[] items = Sets.first(40);
    int[] labels = data.pool().labelsOf(items);
    try (Learner learner = ENGINE.create(spec)) {
      learner.fit(data.pool().inputs(), items, labels);
      learner.save(
          file,
          new TrainingRecord("x", Map.of("label-column", "class"), "f", items, labels, 2, 0.5));
      return learner.embed(data.test().inputs(), Sets.first(10));
    }
  }

  @Test
  void restoresTheSavedModel() {
    Path file = folder.resolve("model.safetensors");
    Dataset data = Sets.corners(3, 32, 80);
    FloatMatrix expected = save(file, data, "resnet18");
    LearnerEngine.Loaded loaded = ENGINE.load(file, 2, "cpu");
    try (Learner learner = loaded.learner()) {
      assertArrayEquals(
          expected.array(), learner.embed(data.test().inputs(), Sets.first(10)).array());
      assertEquals(1L << 60, learner.spec().seed());
      assertEquals(data.scaling(), learner.spec().scaling());
      assertEquals(data.classNames(), learner.spec().classNames());
      assertEquals(0.25, learner.spec().training().dropout());
    }
    TrainingRecord training = loaded.training();
    assertEquals(Map.of("label-column", "class"), training.reading());
    assertEquals("f", training.fingerprint());
    assertArrayEquals(Sets.first(40), training.items());
    assertEquals(0.5, training.testAccuracy());
    assertEquals(512, Safetensors.open(file).shape("fc.weight").orElseThrow()[1]);
  }

  @Test
  void restoresClipsAndSchedules() {
    InputShape shape = InputShape.video(2, 32, 32);
    Optimization schedule = new Optimization(Optimization.Method.ADAMW, 0.05, 3, Optional.of(5e-5));
    TrainingOptions training =
        TrainingOptions.of("mvit", shape)
            .withGoal(TrainingOptions.NO_GOAL)
            .withOptimization(schedule);
    LearnerSpec spec =
        new LearnerSpec(
            "mvit",
            shape,
            Scaling.none(shape),
            List.of("run", "walk"),
            training,
            Pretraining.NONE,
            1,
            1,
            "cpu");
    Path file = folder.resolve("mvit.safetensors");
    try (Learner learner = ENGINE.create(spec)) {
      learner.save(file, new TrainingRecord("x", Map.of(), "f", new int[0], new int[0], 1, 0.5));
    }
    try (Learner learner = ENGINE.load(file, 1, "cpu").learner()) {
      assertEquals(spec, learner.spec());
    }
  }

  /** The second round is the same with and without saving and loading. */
  @Test
  void continuesAsIfItHadNotBeenSaved() {
    Dataset data = Sets.named("digits");
    int[] items = Sets.first(100);
    int[] labels = data.pool().labelsOf(items);
    LearnerSpec spec = LearnerSpec.of("mlp", data, 3).withDevice("cpu").withThreads(2);
    spec = spec.withTraining(spec.training().withEpochs(2).withDropout(0.25).withWarmStart());
    Path file = folder.resolve("round.safetensors");
    float[] expected;
    try (Learner learner = ENGINE.create(spec)) {
      learner.fit(data.pool().inputs(), items, labels);
      learner.save(file, new TrainingRecord("x", Map.of(), "f", items, labels, 2, Double.NaN));
      learner.fit(data.pool().inputs(), items, labels);
      expected = ((LinearHead) learner.head()).weights().array();
    }
    LearnerEngine.Loaded loaded = ENGINE.load(file, 2, "cpu");
    try (Learner learner = loaded.learner()) {
      learner.fit(data.pool().inputs(), items, labels);
      assertArrayEquals(expected, ((LinearHead) learner.head()).weights().array());
    }
    assertTrue(Double.isNaN(loaded.training().testAccuracy()));
  }

  @Test
  void reportsInvalidFiles() throws IOException {
    Path file = folder.resolve("model.safetensors");
    Path json = folder.resolve("model.json");
    save(file, Sets.named("digits"), "mlp");
    assertMessage("missing.safetensors: no such file", folder.resolve("missing.safetensors"));
    InvalidRequestException wrongName =
        assertThrows(InvalidRequestException.class, () -> ENGINE.load(json, 1, "cpu"));
    assertTrue(
        wrongName.getMessage().contains("expected a name ending in .safetensors"),
        wrongName.getMessage());
    String text = Files.readString(json);
    Files.delete(json);
    assertMessage("its description model.json is missing", file);
    Files.writeString(json, text.substring(0, 200));
    assertMessage("model.json", file);
    Files.writeString(json, text.replace("\"network\"", "\"net\""));
    assertMessage("'network' is missing", file);
    Files.writeString(json, text.replace("\"mlp\"", "\"lenet5\""));
    assertMessage("lenet5 takes images", file);
    Files.writeString(json, text.replace("\"height\" : 8,", "\"height\" : 16,"));
    assertMessage("hidden.weight: shape [256, 64], expected [256, 128]", file);
    Files.writeString(json, text.replaceFirst("\"seed\" : \"\\d+\"", "\"seed\" : \"abc\""));
    assertMessage("'seed': expected an integer in quotes", file);
    Files.writeString(json, text.replaceFirst("\"labels\" : \\[ \\d", "\"labels\" : [ 77"));
    assertMessage("item 0 is labelled 77", file);
    Files.writeString(json, text.replace("\"batch\" : 64", "\"batch\" : 0"));
    assertMessage("batch is 0, expected at least 1", file);
    Files.writeString(json, text);
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1]++;
    Files.write(file, bytes);
    assertMessage("model.json does not describe the weights in model.safetensors", file);
  }

  @Test
  void doesNotOverwriteFilesOfOtherPrograms() throws IOException {
    Path other = Files.writeString(folder.resolve("own.json"), "{\"mine\": 1}");
    DataException e =
        assertThrows(
            DataException.class, () -> ENGINE.requireSavable(folder.resolve("own.safetensors")));
    assertTrue(
        e.getMessage().contains("own.json is not the description of a model"), e.getMessage());
    Files.delete(other);
    ENGINE.requireSavable(folder.resolve("own.safetensors"));
  }

  private static void assertMessage(String expected, Path file) {
    DataException e = assertThrows(DataException.class, () -> ENGINE.load(file, 1, "cpu"));
    assertTrue(e.getMessage().contains(expected), e.getMessage());
    assertEquals(1, e.getMessage().lines().count());
  }
}
