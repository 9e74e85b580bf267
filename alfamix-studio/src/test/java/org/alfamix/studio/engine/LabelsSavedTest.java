package org.alfamix.studio.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.alfamix.datasets.Dataset;
import org.alfamix.datasets.Datasets;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Seeds;
import org.alfamix.model.LogisticRegression;
import org.alfamix.model.Snapshot;
import org.alfamix.studio.Studio;
import org.alfamix.studio.source.ModelInput;
import org.alfamix.studio.source.SourceSpec;
import org.alfamix.studio.store.Answer;
import org.alfamix.studio.store.LabelClass;
import org.alfamix.studio.store.Project;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Measures the labels saved: simulated annotators label digits that the studio selects. */
class LabelsSavedTest {
  private static final int SEEDS = 5;
  private static final int MAX = 400;
  private static final int BATCH = 20;
  private static final double SAVED = 0.25;

  @TempDir private Path folder;
  private final Dataset data = Datasets.open("digits", Path.of(""));
  private final FloatMatrix pool =
      FixedModel.features(new ModelInput.Raw(data.pool().inputs(), data.scaling()), done -> {});
  private final FloatMatrix test =
      FixedModel.features(new ModelInput.Raw(data.test().inputs(), data.scaling()), done -> {});

  @Test
  void reachesTheAccuracyOfRandomSamplingWithAQuarterFewerLabels() throws Exception {
    double goal = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      int[] items = RandomIndices.distinct(pool.rows(), MAX, Seeds.at(seed, 0, 0));
      goal += accuracy(Arrays.stream(items).sorted().toArray()) / SEEDS;
    }
    double reached = goal;
    Map<Integer, Double> curve = curve((int) ((1 - SAVED) * MAX));
    int needed =
        curve.entrySet().stream()
            .filter(point -> point.getValue() >= reached)
            .mapToInt(Map.Entry::getKey)
            .min()
            .orElse(Integer.MAX_VALUE);
    String result =
        "random sampling reaches %.1f %% with %d labels, alfamix with %d"
            .formatted(100 * goal, MAX, needed);
    System.out.println(result + ": " + curve);
    assertTrue(needed <= (1 - SAVED) * MAX, result);
  }

  /** Returns the accuracy by number of labels, averaged over all seeds. */
  private Map<Integer, Double> curve(int most) throws InterruptedException {
    Map<Integer, Double> mean = new TreeMap<>();
    for (int seed = 1; seed <= SEEDS; seed++) {
      int weight = seed;
      label(most, seed)
          .forEach(
              (labels, accuracy) ->
                  mean.merge(
                      labels,
                      accuracy / SEEDS,
                      (before, more) -> weight == 1 ? more : before + more));
    }
    return mean;
  }

  private Map<Integer, Double> label(int most, int seed) throws InterruptedException {
    Map<Integer, Double> curve = new TreeMap<>();
    try (Studio studio =
        new Studio(folder.resolve("seed-" + seed), Path.of(""), Clock.systemUTC())) {
      studio.create(
          "digits",
          new SourceSpec(SourceSpec.Kind.DATA, "digits", "", ""),
          new ProjectOptions(ProjectOptions.FIXED, "alfamix", BATCH, 0, 0, 10, seed),
          data.classNames());
      Project project = studio.project("digits");
      List<LabelClass> classes = studio.store().projects().classes(project.id());
      for (int labels = 0; labels < most; labels++) {
        if (labels % BATCH == 0) {
          awaitRound(studio, project, labels / BATCH + 1);
        }
        int item = studio.next(project, "sim", 1, List.of()).get(0);
        long truth = classes.get(data.pool().labels()[item]).id();
        studio.save(project, List.of(Answer.label(item, truth, "sim", "r" + labels)));
        if ((labels + 1) % BATCH == 0) {
          curve.put(labels + 1, accuracy(studio, project));
        }
      }
    }
    return curve;
  }

  private static void awaitRound(Studio studio, Project project, int count)
      throws InterruptedException {
    for (int i = 0; i < 3_000; i++) {
      ProjectWorker worker = studio.worker(project);
      assertEquals("", worker.state().failure());
      if (studio.store().rounds().all(project.id()).size() >= count && !worker.state().busy()) {
        return;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("timed out waiting for a batch");
  }

  /** Returns the accuracy on test items, which the studio does not have. */
  private double accuracy(Studio studio, Project project) {
    return accuracy(
        studio.store().ledger().labels(project.id()).keySet().stream()
            .mapToInt(Integer::intValue)
            .sorted()
            .toArray());
  }

  private double accuracy(int[] items) {
    int[] truth = Arrays.stream(items).map(item -> data.pool().labels()[item]).toArray();
    Snapshot snapshot =
        Snapshot.of(test)
            .labelled(pool.gather(items), truth)
            .head(
                LogisticRegression.fit(
                        pool.gather(items), truth, 10, LogisticRegression.Options.DEFAULT)
                    .head())
            .build();
    int[] predicted = snapshot.predict(IntStream.range(0, test.rows()).toArray());
    return IntStream.range(0, predicted.length)
            .filter(i -> predicted[i] == data.test().labels()[i])
            .count()
        / (double) predicted.length;
  }
}
