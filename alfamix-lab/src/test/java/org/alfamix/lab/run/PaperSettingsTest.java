package org.alfamix.lab.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alfamix.dataset.Dataset;
import org.alfamix.dataset.ImageFolder;
import org.alfamix.dataset.InputShape;
import org.alfamix.embed.BackboneName;
import org.alfamix.embed.Backbones;
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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every setting of the paper but the video one: a round on data and weights that are small and made
 * up, but have the form of what would be fetched.
 */
class PaperSettingsTest {
  @TempDir private static Path folder;

  private static final Map<String, Path> WEIGHTS = new HashMap<>();

  static Stream<String> settings() {
    return IntStream.rangeClosed(1, 30).mapToObj(Integer::toString);
  }

  /** Weights of a network as somebody might have published them. */
  private static Path weights(String network) {
    return WEIGHTS.computeIfAbsent(
        network,
        name -> {
          Path file = folder.resolve(name + ".safetensors");
          InputShape shape = InputShape.image(3, 224, 224);
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
          Dataset data = new TinySets(folder).read(spec.name());
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

  /** The same setting with few labels, one round and one epoch. */
  private static Setting small(Setting setting) {
    String yaml =
        setting
                .yaml()
                .replaceFirst("(?m)^initial:.*", "initial: 6")
                .replaceFirst("(?m)^budget:.*", "budget: 4")
                .replaceFirst("(?m)^rounds:.*", "rounds: 1")
            + "\ntraining: {epochs: 1}\n";
    try {
      Path file = Files.createDirectories(folder.resolve("yaml")).resolve(setting.name() + ".yaml");
      return Settings.read(Files.writeString(file, yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void runsWhereItsDataAreGiven(String number) throws IOException {
    Setting setting = small(Settings.find(number).get(0));
    Path runs = folder.resolve("runs");
    Map<String, Throwable> failures = new HashMap<>();
    LabListener listener = (job, why) -> failures.put(job.method().label(), why);
    Method method = Method.parse("alfamix");
    try (Lab lab = new Lab(runs, LearnerEngine.find(), "cpu", SOURCES, false)) {
      lab.run(List.of(new Experiment(setting, List.of(method), List.of(1L))), 1, listener);
    }
    assertEquals(Map.of(), failures);
    RunFile run =
        RunFile.read(runs.resolve(setting.name()).resolve("alfamix-seed-1.jsonl")).orElseThrow();
    assertEquals(2, run.rounds().size());
    assertEquals(10, run.rounds().get(1).labelled().length);
  }
}
