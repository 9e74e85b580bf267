package org.alfamix.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Parallel;
import org.alfamix.model.Snapshot;
import org.junit.jupiter.api.Test;

/** The graph network as a query strategy. */
class GcnalTest {
  private static Selection select(Snapshot snapshot, int budget, Map<String, String> options) {
    return Strategies.create("gcnal", options).select(snapshot, budget, new SplittableRandom(1));
  }

  /** Returns a snapshot with two groups of items, one of which is labelled. */
  private static Snapshot twoGroups() {
    SplittableRandom random = new SplittableRandom(4);
    FloatMatrix pool = Snapshots.relu(Snapshots.gaussian(400, 10, random, 0.3));
    FloatMatrix labelled = Snapshots.relu(Snapshots.gaussian(40, 10, random, 0.3));
    for (int i = 0; i < 400; i++) {
      pool.set(i, i < 200 ? 0 : 1, pool.get(i, i < 200 ? 0 : 1) + 2);
    }
    for (int i = 0; i < 40; i++) {
      labelled.set(i, 0, labelled.get(i, 0) + 2);
    }
    return Snapshot.of(pool).labelled(labelled, new int[40]).classes(1).build();
  }

  @Test
  void picksTheUnlabelledGroupFirst() {
    Selection core = select(twoGroups(), 20, Map.of("learningRate", "0.01"));
    assertTrue(core.items()[0] >= 200, "expected the item farthest from all labelled items");
    Map<String, String> options =
        Map.of("picks", "uncertain", "margin", "0", "learningRate", "0.01");
    int[] unlikely = select(twoGroups(), 20, options).items();
    assertTrue(Arrays.stream(unlikely).allMatch(item -> item >= 200), Arrays.toString(unlikely));
  }

  @Test
  void picksItemsNextToTheMargin() {
    // A margin of 0 selects the unlabelled group, a margin of 1 items similar to labelled ones.
    Map<String, String> low = Map.of("picks", "uncertain", "margin", "0", "learningRate", "0.01");
    Map<String, String> high = Map.of("picks", "uncertain", "margin", "1", "learningRate", "0.01");
    int[] ascending = select(twoGroups(), 400, low).items();
    int[] descending = select(twoGroups(), 400, high).items();
    for (int p = 0; p < 20; p++) {
      assertEquals(ascending[p], descending[399 - p]);
    }
  }

  @Test
  void reportsDivergedTraining() {
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> select(twoGroups(), 5, Map.of("learningRate", "1e30")))
            .getMessage();
    assertTrue(message.startsWith("The training of gcnal diverged with learningRate = 1.0E30"));
  }

  @Test
  void limitsTheGraphToTheSampleOrTheBudget() {
    Snapshot snapshot = Snapshots.random(300, 20, 12, 4, 9);
    Selection part = select(snapshot, 10, Map.of("sample", "50", "steps", "5"));
    assertEquals(50, part.candidates());
    assertEquals("50 of 300 items", part.notes().get("sample"));
    Selection enough = select(snapshot, 80, Map.of("sample", "50", "steps", "5"));
    assertEquals(80, enough.candidates());
    assertEquals(80, Arrays.stream(enough.items()).boxed().collect(Collectors.toSet()).size());
  }

  @Test
  void notesRaisedDegreesOfSignedEmbeddings() {
    SplittableRandom random = new SplittableRandom(3);
    Snapshot signed =
        Snapshot.of(Snapshots.gaussian(300, 16, random, 1))
            .labelled(Snapshots.gaussian(30, 16, random, 1), new int[30])
            .build();
    Selection selection = select(signed, 10, Map.of());
    assertTrue(
        selection
            .notes()
            .get("degrees")
            .contains("raised, because similarities of signed embeddings cancel"));
    for (Pick pick : selection.picks()) {
      assertTrue(Double.isFinite(pick.score()), pick.reason());
    }
  }

  @Test
  void memoryGrowsLinearlyWithTheItems() {
    int size = 16_000;
    Snapshot snapshot = Snapshots.random(size, 50, 16, 4, 5);
    Map<String, String> options = Map.of("sample", "16000", "steps", "2", "hidden", "16");
    long bytes =
        Parallel.with(
            1,
            () -> {
              ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
              long before = threads.getCurrentThreadAllocatedBytes();
              select(snapshot, 10, options);
              return threads.getCurrentThreadAllocatedBytes() - before;
            });
    // Vectors are heap objects until they are compiled, so the exact amount is unknown.
    long allPairs = 4L * size * size;
    assertTrue(bytes < allPairs / 2, bytes + " bytes; a matrix of all pairs takes " + allPairs);
  }

  @Test
  void rejectsInvalidOptions() {
    for (Map.Entry<String, String> wrong :
        Map.of(
                "sample", "0",
                "hidden", "0",
                "dropout", "1",
                "learningRate", "0",
                "weightDecay", "-1",
                "lambda", "NaN",
                "steps", "-1",
                "margin", "1.5")
            .entrySet()) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () -> Strategies.create("gcnal", Map.of(wrong.getKey(), wrong.getValue())))
              .getMessage();
      assertTrue(message.startsWith("Option " + wrong.getKey() + " of gcnal must be "), message);
    }
    assertEquals(Set.of(Requirement.LABELLED), Strategies.create("gcnal", Map.of()).requirements());
  }
}
