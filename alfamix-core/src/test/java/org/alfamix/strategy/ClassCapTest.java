package org.alfamix.strategy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A cap per class restricts which items may be picked and changes nothing else. */
class ClassCapTest {
  private static final Snapshot SNAPSHOT = Snapshots.random(300, 20, 16, 5, 3);

  private static List<Pick> picks(Snapshot snapshot, String strategy, int budget, int limit) {
    return Strategies.create(strategy, Map.of())
        .select(snapshot, budget, ClassCap.of(snapshot, limit), new SplittableRandom(1))
        .picks();
  }

  @Test
  void scoresDependOnExactlyTheEarlierPicks() {
    SequentialScores.assertCoreSetScores(SNAPSHOT, picks(SNAPSHOT, "coreset", 15, 3));
    SequentialScores.assertCdalScores(SNAPSHOT, picks(SNAPSHOT, "cdal", 15, 3));
    SequentialScores.assertBadgeScores(SNAPSHOT, picks(SNAPSHOT, "badge", 15, 3));
  }

  @Test
  void picksTheFarthestItemOfTheRemainingClasses() {
    int[] predicted = SNAPSHOT.predict(IntStream.range(0, 300).toArray());
    List<Pick> picks = picks(SNAPSHOT, "coreset", 10, 2);
    FloatMatrix pool = SNAPSHOT.unlabelled().toMatrix();
    int[] count = new int[5];
    for (int p = 0; p < picks.size(); p++) {
      for (int i = 0; i < 300; i++) {
        if (count[predicted[i]] < 2) {
          double nearest = nearest(pool.row(i), SNAPSHOT.labelled());
          for (int q = 0; q < p; q++) {
            nearest = Math.min(nearest, distance(pool.row(i), pool.row(picks.get(q).item())));
          }
          assertTrue(nearest <= picks.get(p).score() * (1 + 1e-6), "item " + i + " is farther");
        }
      }
      count[picks.get(p).predicted()]++;
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"coreset", "cdal", "badge", "gcnal", "alfamix"})
  void doesNotPickDuplicates(String strategy) {
    int[] twice = IntStream.range(0, 120).map(i -> i / 2).toArray();
    Snapshot duplicates = Snapshots.withPool(SNAPSHOT, SNAPSHOT.unlabelled().gather(twice));
    List<Pick> picks = picks(duplicates, strategy, 14, 3);
    Set<Integer> originals = new HashSet<>();
    picks.forEach(pick -> originals.add(pick.item() / 2));
    assertEquals(picks.size(), originals.size());
  }

  @Test
  void extendsTheSampleOfGcnalToRareClasses() {
    QueryStrategy small = Strategies.create("gcnal", Map.of("sample", "20", "steps", "5"));
    Selection selection =
        small.select(SNAPSHOT, 20, ClassCap.of(SNAPSHOT, 4), new SplittableRandom(2));
    assertEquals(20, selection.picks().size());
  }

  @Test
  void requiresPredictionsAndAPositiveCap() {
    Snapshot bare = Snapshot.of(SNAPSHOT.unlabelled()).build();
    assertThrows(IllegalArgumentException.class, () -> ClassCap.of(bare, 2));
    assertThrows(IllegalArgumentException.class, () -> ClassCap.of(SNAPSHOT, 0));
  }

  private static double nearest(float[] row, FloatMatrix centres) {
    return IntStream.range(0, centres.rows())
        .mapToDouble(c -> distance(row, centres.row(c)))
        .min()
        .orElseThrow();
  }

  private static double distance(float[] a, float[] b) {
    double sum = 0;
    for (int d = 0; d < a.length; d++) {
      sum += ((double) a[d] - b[d]) * ((double) a[d] - b[d]);
    }
    return Math.sqrt(sum);
  }
}
