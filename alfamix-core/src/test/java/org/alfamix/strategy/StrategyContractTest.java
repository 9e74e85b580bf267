package org.alfamix.strategy;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alfamix.example.SmallestNorm;
import org.alfamix.golden.OpaqueHead;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.model.LinearHead;
import org.alfamix.model.Snapshot;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The contract of strategies; tests every registered strategy. */
class StrategyContractTest {
  private static final int POOL = 400;

  private static final Snapshot SNAPSHOT = Snapshots.random(POOL, 40, 24, 7, 11);

  static Stream<QueryStrategy> strategies() {
    return Stream.concat(
        Stream.concat(Strategies.all().stream(), Stream.of(SmallestNorm.ENTRY))
            .map(StrategyEntry::create),
        VARIANTS.stream());
  }

  /** Variants that do not use the default code paths. */
  private static final List<QueryStrategy> VARIANTS =
      List.of(
          Strategies.create("alfamix", Map.of("alpha", "projected-gradient")),
          Strategies.create("alfamix", Map.of("alpha", "random", "anchors", "random-items")),
          Strategies.create("alfamix", Map.of("anchors", "none")),
          Strategies.create("alfamix", Map.of("picks", "kmeans-plus-plus")),
          Strategies.create("alfamix", Map.of("picks", "uniform")),
          Strategies.create("alfamix", Map.of("picks", "smallest-norm")),
          Strategies.create("alfamix", Map.of("picks", "largest-divergence", "grow", "false")),
          Strategies.create("gcnal", Map.of("picks", "uncertain")),
          Strategies.create("gcnal", Map.of("sample", "150", "hidden", "33", "dropout", "0")));

  private static int[] items(QueryStrategy strategy, Snapshot snapshot, int budget, long seed) {
    return strategy.select(snapshot, budget, new SplittableRandom(seed)).items();
  }

  private static void assertDistinctAndInRange(int[] items, int expected, int pool) {
    assertEquals(expected, items.length);
    assertEquals(expected, Arrays.stream(items).distinct().count(), "distinct");
    assertTrue(Arrays.stream(items).allMatch(item -> item >= 0 && item < pool), "in range");
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void picksAsManyDistinctItemsAsRequested(QueryStrategy strategy) {
    for (int budget : new int[] {1, 2, 17, 100, POOL - 1, POOL}) {
      assertDistinctAndInRange(items(strategy, SNAPSHOT, budget, 1), budget, POOL);
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void picksTheWholePoolIfTheBudgetIsLarger(QueryStrategy strategy) {
    assertDistinctAndInRange(items(strategy, SNAPSHOT, POOL + 5, 1), POOL, POOL);
    assertDistinctAndInRange(items(strategy, SNAPSHOT, Integer.MAX_VALUE, 1), POOL, POOL);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void isReproducible(QueryStrategy strategy) {
    assertArrayEquals(items(strategy, SNAPSHOT, 20, 5), items(strategy, SNAPSHOT, 20, 5));
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void largerBatchesOfRankingStrategiesExtendSmallerOnes(QueryStrategy strategy) {
    if (strategy.ranks()) {
      int[] all = items(strategy, SNAPSHOT, POOL, 5);
      assertArrayEquals(Arrays.copyOf(all, 20), items(strategy, SNAPSHOT, 20, 5));
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void picksDoNotDependOnTheNumberOfThreads(QueryStrategy strategy) {
    int[] one = Parallel.with(1, () -> items(strategy, SNAPSHOT, 30, 5));
    int[] eight = Parallel.with(8, () -> items(strategy, SNAPSHOT, 30, 5));
    assertArrayEquals(one, eight);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void doesNotModifyTheInput(QueryStrategy strategy) {
    FloatMatrix pool = SNAPSHOT.unlabelled().toMatrix().copy();
    FloatMatrix labelled = SNAPSHOT.labelled().copy();
    int[] labels = SNAPSHOT.labels();
    items(strategy, SNAPSHOT, 20, 5);
    assertArrayEquals(pool.array(), SNAPSHOT.unlabelled().toMatrix().array());
    assertArrayEquals(labelled.array(), SNAPSHOT.labelled().array());
    assertArrayEquals(labels, SNAPSHOT.labels());
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void ignoresLabelledItemsUnlessItUsesThem(QueryStrategy strategy) {
    if (!strategy.usesLabelled()) {
      Snapshot bare =
          Snapshot.of(SNAPSHOT.unlabelled()).head(SNAPSHOT.head().orElseThrow()).build();
      assertArrayEquals(items(strategy, SNAPSHOT, 20, 5), items(strategy, bare, 20, 5));
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void picksEqualItemsOnceEach(QueryStrategy strategy) {
    int[] copies = IntStream.range(0, 60).map(i -> i % 3).toArray();
    Snapshot duplicates =
        Snapshots.withPool(SNAPSHOT, SNAPSHOT.unlabelled().toMatrix().gather(copies));
    assertDistinctAndInRange(items(strategy, duplicates, 20, 1), 20, 60);
    assertDistinctAndInRange(items(strategy, duplicates, 60, 1), 60, 60);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void respectsACapPerClass(QueryStrategy strategy) {
    int[] predicted = SNAPSHOT.predict(IntStream.range(0, POOL).toArray());
    for (int limit : new int[] {1, 3, POOL}) {
      int available =
          IntStream.range(0, 7)
              .map(k -> Math.min(limit, (int) Arrays.stream(predicted).filter(p -> p == k).count()))
              .sum();
      for (int budget : new int[] {5, 30, POOL}) {
        Selection selection =
            strategy.select(
                SNAPSHOT, budget, ClassCap.of(SNAPSHOT, limit), new SplittableRandom(3));
        assertDistinctAndInRange(selection.items(), Math.min(budget, available), POOL);
        int[] count = new int[7];
        for (Pick pick : selection.picks()) {
          assertEquals(predicted[pick.item()], pick.predicted());
          assertTrue(++count[pick.predicted()] <= limit, "too many picks of a class");
        }
        int[] clusters =
            selection.picks().stream().mapToInt(Pick::cluster).filter(c -> c >= 0).toArray();
        assertEquals(clusters.length, Arrays.stream(clusters).distinct().count(), "clusters");
      }
    }
  }

  /** Strategies that are invariant to an offset that the head ignores. */
  private static final Set<String> IGNORE_OFFSETS =
      Set.of("random", "entropy", "least-confidence", "margin", "bald", "dfal", "coreset", "cdal");

  /** A constant column does not contribute to any distance. */
  @ParameterizedTest
  @MethodSource("strategies")
  void toleratesALargeOffset(QueryStrategy strategy) {
    Selection plain =
        strategy.select(Snapshots.withColumn(SNAPSHOT, 0), 30, new SplittableRandom(5));
    for (float offset : new float[] {300, 1e4f, 1e6f}) {
      Snapshot shifted = Snapshots.withColumn(SNAPSHOT, offset);
      Selection selection = strategy.select(shifted, 30, new SplittableRandom(5));
      assertDistinctAndInRange(selection.items(), 30, POOL);
      if (IGNORE_OFFSETS.contains(strategy.name())) {
        assertArrayEquals(plain.items(), selection.items(), "offset " + offset);
      }
      if (strategy.name().equals("alfamix") && !VARIANTS.contains(strategy)) {
        assertArrayEquals(
            candidates(plain), candidates(selection), "candidates with offset " + offset);
      }
      if (strategy.name().equals("badge")) {
        SequentialScores.assertBadgeScores(shifted, selection.picks());
      }
    }
  }

  private static int[] candidates(Selection selection) {
    var flips = MixDiagnostics.of(selection).orElseThrow().candidates();
    return IntStream.range(0, flips.size()).map(flips::item).sorted().toArray();
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void toleratesZeroEmbeddings(QueryStrategy strategy) {
    Snapshot zeros = Snapshots.withPool(SNAPSHOT, FloatMatrix.zeros(30, 24));
    assertDistinctAndInRange(items(strategy, zeros, 12, 1), 12, 30);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void picksTheOnlyItem(QueryStrategy strategy) {
    Snapshot one = Snapshots.withPool(SNAPSHOT, SNAPSHOT.unlabelled().slice(3, 4).copy());
    assertArrayEquals(new int[] {0}, items(strategy, one, 3, 1));
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void returnsAnEmptySelectionForAnEmptyPool(QueryStrategy strategy) {
    Snapshot empty = Snapshots.withPool(SNAPSHOT, FloatMatrix.zeros(0, 24));
    assertEquals(0, items(strategy, empty, 3, 1).length);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void toleratesASingleClass(QueryStrategy strategy) {
    Snapshot single =
        Snapshot.of(SNAPSHOT.unlabelled())
            .labelled(SNAPSHOT.labelled(), new int[40])
            .head(new LinearHead(FloatMatrix.wrap(new float[24], 1, 24), new float[1]))
            .build();
    assertDistinctAndInRange(items(strategy, single, 9, 1), 9, POOL);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void toleratesClassesWithEqualWeights(QueryStrategy strategy) {
    LinearHead head = (LinearHead) SNAPSHOT.head().orElseThrow();
    FloatMatrix duplicates = head.weights().gather(new int[] {0, 0, 1, 1, 2, 2, 0});
    for (LinearHead each :
        List.of(
            new LinearHead(duplicates, new float[7]),
            new LinearHead(FloatMatrix.zeros(7, 24), new float[7]))) {
      Snapshot snapshot =
          Snapshot.of(SNAPSHOT.unlabelled())
              .labelled(SNAPSHOT.labelled(), SNAPSHOT.labels())
              .head(each)
              .build();
      assertDistinctAndInRange(items(strategy, snapshot, 50, 1), 50, POOL);
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void toleratesProbabilitiesThatRoundToOne(QueryStrategy strategy) {
    LinearHead head = (LinearHead) SNAPSHOT.head().orElseThrow();
    FloatMatrix steep = head.weights().copy();
    for (int i = 0; i < steep.array().length; i++) {
      steep.array()[i] *= 1e4f;
    }
    Snapshot snapshot =
        Snapshot.of(SNAPSHOT.unlabelled())
            .labelled(SNAPSHOT.labelled(), SNAPSHOT.labels())
            .head(new LinearHead(steep, new float[7]))
            .build();
    assertDistinctAndInRange(items(strategy, snapshot, 50, 1), 50, POOL);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void toleratesAClassWithoutLabels(QueryStrategy strategy) {
    int[] labels = Arrays.stream(SNAPSHOT.labels()).map(label -> Math.min(label, 2)).toArray();
    Snapshot snapshot =
        Snapshot.of(SNAPSHOT.unlabelled())
            .labelled(SNAPSHOT.labelled(), labels)
            .head(SNAPSHOT.head().orElseThrow())
            .build();
    assertDistinctAndInRange(items(strategy, snapshot, 50, 1), 50, POOL);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void supportsAnyHead(QueryStrategy strategy) {
    Snapshot opaque =
        Snapshot.of(SNAPSHOT.unlabelled())
            .labelled(SNAPSHOT.labelled(), SNAPSHOT.labels())
            .head(new OpaqueHead(SNAPSHOT.head().orElseThrow()))
            .build();
    if (strategy.requirements().contains(Requirement.INPUT_GRADIENTS)) {
      String message =
          assertThrows(IllegalArgumentException.class, () -> items(strategy, opaque, 15, 1))
              .getMessage();
      assertEquals(
          strategy.name()
              + " needs a network with its inputs, or a linear head, which the snapshot does not"
              + " have.",
          message);
    } else {
      assertDistinctAndInRange(items(strategy, opaque, 15, 1), 15, POOL);
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void reportsMissingRequirements(QueryStrategy strategy) {
    Snapshot bare = Snapshot.of(SNAPSHOT.unlabelled()).build();
    if (strategy.requirements().isEmpty()) {
      assertDistinctAndInRange(items(strategy, bare, 10, 1), 10, POOL);
    } else {
      var exception =
          assertThrows(IllegalArgumentException.class, () -> items(strategy, bare, 10, 1));
      assertTrue(exception.getMessage().startsWith(strategy.name() + " needs "));
      for (Requirement requirement : strategy.requirements()) {
        assertTrue(exception.getMessage().contains(requirement.description()));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void rejectsABudgetBelowOne(QueryStrategy strategy) {
    for (int budget : new int[] {0, -3}) {
      var exception =
          assertThrows(IllegalArgumentException.class, () -> items(strategy, SNAPSHOT, budget, 1));
      assertEquals("budget must be at least 1, got " + budget + ".", exception.getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void explainsEveryPick(QueryStrategy strategy) {
    Selection selection = strategy.select(SNAPSHOT, 30, new SplittableRandom(2));
    for (Pick pick : selection.picks()) {
      assertFalse(pick.reason().isBlank());
      assertFalse(pick.reason().contains("NaN"), pick.reason());
      assertFalse(Double.isNaN(pick.score()));
      assertEquals(SNAPSHOT.predict(pick.item()), pick.predicted());
    }
    assertTrue(selection.candidates() >= 0 && selection.candidates() <= POOL);
    assertFalse(selection.seconds().isEmpty());
  }
}
