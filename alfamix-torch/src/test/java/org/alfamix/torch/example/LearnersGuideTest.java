package org.alfamix.torch.example;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Datasets;
import org.alfamix.learn.Fit;
import org.alfamix.learn.Learner;
import org.alfamix.learn.LearnerEngine;
import org.alfamix.learn.LearnerSpec;
import org.alfamix.learn.SnapshotOptions;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.Strategies;
import org.junit.jupiter.api.Test;

/**
 * Runs the Java examples of docs/guide/train.md, and checks that the page contains them literally.
 */
class LearnersGuideTest {
  private static final Path GUIDE = Path.of("..", "docs", "guide", "train.md");
  private static final Path HERE = Path.of("src/test/java/org/alfamix/torch/example");

  @Test
  void runsOneRound() throws IOException {
    // begin
    Dataset data = Datasets.open("digits", Path.of("data"));

    int[] labelled = IntStream.range(0, 100).toArray();
    int[] unlabelled = IntStream.range(100, data.pool().size()).toArray();
    int[] labels = data.pool().labelsOf(labelled); // from annotators, unless you have an oracle

    try (Learner learner = LearnerEngine.find().create(LearnerSpec.of("mlp", data, 1))) {
      Fit fit = learner.fit(data.pool().inputs(), labelled, labels);
      double accuracy = learner.accuracy(data.test().inputs(), data.test().labels());
      Snapshot snapshot =
          learner.snapshot(
              data.pool().inputs(), unlabelled, labelled, labels, SnapshotOptions.PLAIN);
      Selection next =
          Strategies.create("alfamix", Map.of()).select(snapshot, 20, new SplittableRandom(1));
      // unlabelled[next.items()[0]] is the first item to label
      // end
      assertTrue(fit.epochs() > 1);
      assertTrue(accuracy > 0.6, "accuracy " + accuracy);
      assertEquals(20, next.items().length);
    }
    assertInGuide(between(Files.readString(HERE.resolve("LearnersGuideTest.java"))));
  }

  private static String between(String source) {
    return source
        .substring(source.indexOf("// begin\n") + 9, source.indexOf("      // end\n"))
        .indent(-4)
        .strip();
  }

  @Test
  void findsAndTrainsACustomNetwork() throws IOException {
    String source = Files.readString(HERE.resolve("TinyNet.java"));
    assertInGuide(source.substring(source.indexOf("import ")).strip());
    assertTrue(
        LearnerEngine.find().networks().stream().anyMatch(info -> info.name().equals("tiny")));
    Dataset data = Datasets.open("digits", Path.of("data"));
    LearnerSpec spec = LearnerSpec.of("tiny", data, 1);
    spec = spec.withTraining(spec.training().withEpochs(30));
    // 129 items: the last batch would have a single item.
    int[] items = IntStream.range(0, 129).toArray();
    try (Learner learner = LearnerEngine.find().create(spec)) {
      learner.fit(data.pool().inputs(), items, data.pool().labelsOf(items));
      double accuracy = learner.accuracy(data.test().inputs(), data.test().labels());
      assertTrue(accuracy > 0.3, "accuracy " + accuracy);
    }
  }

  private static void assertInGuide(String code) throws IOException {
    assertTrue(
        Files.readString(GUIDE).contains(code), "docs/guide/train.md does not contain:\n" + code);
  }
}
