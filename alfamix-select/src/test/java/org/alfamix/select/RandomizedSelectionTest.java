package org.alfamix.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.alfamix.io.array.Npy;
import org.alfamix.strategy.AlfaMix;
import org.alfamix.strategy.Pick;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Compares the picks of {@code select} from files of random shapes, data types, offsets and numbers
 * of classes with a reference implementation in double precision ({@link RandomCase}).
 *
 * <p>{@code -Dalfamix.random-cases=1000000} runs more cases, {@code -Dalfamix.random-seed} other
 * ones.
 */
class RandomizedSelectionTest {
  private static final int CASES = Integer.getInteger("alfamix.random-cases", 10_000);
  private static final long SEED = Long.getLong("alfamix.random-seed", 0);
  private static final int METHODS = 7;

  @TempDir private static Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {"entropy", "margin", "least-confidence", "coreset", "cdal", "bald", "alfamix"})
  void selectsLikeAReferenceInDoublePrecision(String strategy) throws IOException {
    int decided = 0;
    int cases = (CASES + METHODS - 1) / METHODS;
    for (int c = 0; c < cases; c++) {
      RandomCase random = new RandomCase(strategy, SEED + c, folder);
      Batch batch = batch(random, strategy);
      try {
        decided += strategy.equals("alfamix") ? checkFlips(random, batch) : check(random, batch);
      } catch (AssertionError e) {
        throw new AssertionError(strategy + ", seed " + (SEED + c) + ", " + random, e);
      }
    }
    // Rounding may leave some cases undecided, but not most of them.
    assertTrue(decided > cases / 2, decided + " of " + cases + " cases are decided");
  }

  private static Batch batch(RandomCase random, String strategy) {
    Query query =
        Query.of(PoolReader.standard().read(random.poolFile().toString()))
            .labels(Labels.of(random.labelled(), random.labels()))
            .head(random.head())
            .strategy(strategy, Map.of())
            .budget(random.budget());
    if (random.cap() < Integer.MAX_VALUE) {
      query.perClassCap(random.cap());
    }
    if (random.probabilityFile() != null) {
      query.probabilities(Npy.open(random.probabilityFile()));
    }
    if (random.dropoutFile() != null) {
      query.dropoutProbabilities(Npy.open(random.dropoutFile()));
    }
    return query.run();
  }

  /** Checks that every pick has the expected score and that no eligible item has a better one. */
  private static int check(RandomCase random, Batch batch) {
    Set<Integer> left = new HashSet<>();
    Arrays.stream(batch.scope().eligible()).forEach(left::add);
    int[] count = new int[random.classes()];
    int decided = 0;
    double sign = batch.request().strategy().equals("margin") ? -1 : 1;
    List<Integer> picked = new ArrayList<>();
    for (Pick pick : batch.picks()) {
      assertTrue(
          left.remove(pick.item()), "row " + pick.item() + " is not eligible or was picked before");
      double score = random.score(pick.item(), picked);
      double error = random.error(pick.item(), score);
      if (Double.isInfinite(score)) {
        assertEquals(score, pick.score());
      } else {
        assertEquals(score, pick.score(), error, "score of row " + pick.item());
      }
      for (int other : left) {
        if (!random.isSure(other) || count[random.predicted(other)] >= random.cap()) {
          continue;
        }
        double best = random.score(other, picked);
        double slack = error + random.error(other, best);
        assertTrue(
            Double.isInfinite(score) || sign * best <= sign * score + slack,
            () ->
                "row %d has the score %s, but row %d was picked"
                    .formatted(other, best, pick.item()));
        decided += slack < 1e-2 ? 1 : 0;
      }
      if (random.cap() < Integer.MAX_VALUE) {
        assertTrue(++count[pick.predicted()] <= random.cap(), "too many picks of a class");
      }
      picked.add(pick.item());
    }
    if (random.cap() == Integer.MAX_VALUE) {
      assertEquals(random.budget(), picked.size());
    }
    return decided > 0 ? 1 : 0;
  }

  /** Checks that exactly the items that flip at the final cap are candidates. */
  private static int checkFlips(RandomCase random, Batch batch) {
    double cap = batch.mixing().orElseThrow().cap();
    double[] caps = AlfaMix.Options.DEFAULT.caps();
    assertTrue(Arrays.stream(caps).anyMatch(each -> each == cap), "cap " + cap);
    Set<Integer> candidates = new HashSet<>();
    Arrays.stream(batch.candidateRows()).forEach(candidates::add);
    int decided = 0;
    for (int row : batch.scope().eligible()) {
      RandomCase.Verdict verdict = random.flips(row, cap);
      if (verdict != RandomCase.Verdict.UNDECIDED) {
        assertEquals(verdict == RandomCase.Verdict.FLIPS, candidates.contains(row), "row " + row);
        decided++;
      }
    }
    for (double earlier : caps) {
      long sure =
          IntStream.of(batch.scope().eligible())
              .filter(row -> random.flips(row, earlier) == RandomCase.Verdict.FLIPS)
              .count();
      assertTrue(
          earlier >= cap || sure <= random.budget(),
          "the smaller cap " + earlier + " has enough candidates");
    }
    return decided > 0 ? 1 : 0;
  }
}
