package org.alfamix.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alfamix.datasets.ClipOptions;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.ImageFolder;
import org.alfamix.datasets.InputShape;
import org.alfamix.lab.setting.DataSpec;
import org.alfamix.lab.setting.Method;
import org.alfamix.lab.setting.ModelSpec;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.Pretraining;
import org.alfamix.learn.TrainingOptions;
import org.alfamix.learn.TrainingRecord;
import org.alfamix.learn.embed.BackboneName;
import org.alfamix.learn.embed.Backbones;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a round of every setting of the paper, on small synthetic data and weights in the formats of
 * the originals.
 */
@Tag("slow")
class PaperSettingsTest {
  @TempDir private static Path folder;

  /** Clips of the paper's length, but with few pixels because MViT is slow. */
  private static final ClipOptions CLIP = new ClipOptions(32, 2, 32);

  private static final Map<String, Path> WEIGHTS = new ConcurrentHashMap<>();

  /** Returns a file of weights in the form of published ones. */
  private static Path weights(String network) {
    return WEIGHTS.computeIfAbsent(
        network,
        name -> {
          Path file = folder.resolve(name + ".safetensors");
          InputShape shape = name.equals("mvit") ? CLIP.shape() : InputShape.image(3, 224, 224);
          LearnerSpec spec =
              new LearnerSpec(
                  name,
                  shape,
                  ImageFolder.PHOTOS,
                  List.of("a", "b"),
                  TrainingOptions.of(name, shape),
                  Pretraining.NONE,
                  7,
                  1,
                  "cpu");
          try (Learner learner = LearnerEngine.find().create(spec)) {
            learner.save(file, new TrainingRecord("x", Map.of(), "", new int[0], new int[0], 0, 0));
          }
          return file;
        });
  }

  private static final LabSources SOURCES =
      new LabSources() {
        @Override
        public Dataset data(DataSpec spec) {
          Dataset read = new TinySets(folder).read(spec.name());
          Dataset data = read.shape().isVideo() ? read.withClips(CLIP) : read;
          String backbone = spec.reading().get(DataSpec.BACKBONE);
          return backbone == null
              ? data
              : new Backbones(
                      folder, published -> PaperSettingsTest.weights(published.network()), 2, "cpu")
                  .features(data, BackboneName.parse(backbone), 0, (done, all) -> {});
        }

        @Override
        public Path weights(ModelSpec model) {
          assertTrue(model.published().isPresent(), model.toString());
          return PaperSettingsTest.weights(model.baseNetwork());
        }
      };

  /** Returns the setting with few labels, one round and one epoch. */
  private static Setting small(Setting setting) {
    String yaml =
        setting
                .yaml()
                .replaceFirst("(?m)^initial(-per-class)?:.*", "initial: 6")
                .replaceFirst("(?m)^budget:.*", "budget: [4]")
                .replaceFirst("(?m)^rounds:.*", "")
                .replaceFirst("(?m)^  epochs:.*", "  epochs: 1")
            + (setting.yaml().contains("training:") ? "" : "\ntraining: {epochs: 1}\n");
    try {
      Path file = Files.createDirectories(folder.resolve("yaml")).resolve(setting.name() + ".yaml");
      return Settings.read(Files.writeString(file, yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void runsAllSettingsOfThePaper() {
    Path runs = folder.resolve("runs");
    Map<String, Throwable> failures = new ConcurrentHashMap<>();
    LabListener listener = (job, why) -> failures.put(job.setting().name(), why);
    List<Experiment> experiments =
        Stream.concat(IntStream.rangeClosed(1, 30).mapToObj(Integer::toString), Stream.of("V"))
            .map(number -> small(Settings.find(number).get(0)))
            .map(setting -> new Experiment(setting, List.of(Method.parse("alfamix")), List.of(1L)))
            .toList();
    try (Lab lab = new Lab(runs, LearnerEngine.find(), "cpu", SOURCES, false)) {
      lab.run(experiments, 2, listener);
    }
    assertEquals(Map.of(), failures);
    for (Experiment experiment : experiments) {
      Path own = runs.resolve(experiment.setting().name());
      RunFile run = RunFile.read(own.resolve("alfamix-seed-1.jsonl")).orElseThrow();
      assertEquals(2, run.rounds().size(), own.toString());
      assertEquals(10, run.rounds().get(1).labelled().length, own.toString());
    }
  }
}
