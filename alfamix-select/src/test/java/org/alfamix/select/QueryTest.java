package org.alfamix.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Head;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Requirement;
import org.alfamix.strategy.Selection;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A query on a pool of two groups of points with two labelled items each. */
class QueryTest {
  private static final int SIZE = 60;

  @TempDir private Path folder;
  private Pool pool;
  private Labels labels;

  @BeforeEach
  void read() throws IOException {
    SplittableRandom random = new SplittableRandom(5);
    StringBuilder rows = new StringBuilder("id,f0,f1\n");
    for (int i = 0; i < SIZE; i++) {
      double x = (i % 2 == 0 ? -1 : 1) + random.nextGaussian();
      rows.append("item-%d,%.4f,%.4f\n".formatted(i, x, random.nextGaussian()));
    }
    Path file = Files.writeString(folder.resolve("pool.csv"), rows);
    pool =
        new PoolReader(null, null, null, PoolReader.defaultMaxBytes())
            .read(file.toString(), List.of(file));
    Path known =
        Files.writeString(
            folder.resolve("labels.csv"),
            "id,label\nitem-0,left\nitem-1,right\nitem-2,left\nitem-3,right\n");
    labels = Labels.read(known, pool, null, null);
  }

  private static List<Integer> rows(Batch batch) {
    return batch.picks().stream().map(Pick::item).toList();
  }

  /** Selects the first items; it is not in the registry. */
  private static final class First implements QueryStrategy {
    @Override
    public String name() {
      return "first";
    }

    @Override
    public Set<Requirement> requirements() {
      return Set.of(Requirement.HEAD);
    }

    @Override
    public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
      var recorder = Selection.record().candidates(snapshot.size()).phase("score");
      for (int i = 0; i < budget; i++) {
        recorder.pick(new Pick(i, i, -1, snapshot.predict(i), "it comes first"));
      }
      return recorder.finish();
    }
  }

  /** A head that is not linear: the logits are the squared features. */
  private static final class SquareHead implements Head {
    @Override
    public int features() {
      return 2;
    }

    @Override
    public int classes() {
      return 2;
    }

    @Override
    public FloatMatrix logits(FloatMatrix embeddings) {
      FloatMatrix logits = FloatMatrix.zeros(embeddings.rows(), 2);
      for (int i = 0; i < embeddings.rows(); i++) {
        for (int k = 0; k < 2; k++) {
          logits.set(i, k, embeddings.get(i, k) * embeddings.get(i, k));
        }
      }
      return logits;
    }

    @Override
    public FloatMatrix lossGradient(FloatMatrix embeddings, int[] labels) {
      throw new AssertionError("entropy needs no gradients");
    }
  }

  @Test
  void acceptsAStrategyAndAHeadThatAreNotRegistered() {
    Batch batch = Query.of(pool).labels(labels).strategy(new First()).budget(3).run();
    assertEquals(List.of(4, 5, 6), rows(batch));
    assertEquals("first", batch.request().strategy());
    assertEquals(Map.of(), batch.request().options());
    Batch squares =
        Query.of(pool)
            .labels(labels)
            .classNames(List.of("left", "right"))
            .head(new SquareHead())
            .strategy("entropy", Map.of())
            .budget(5)
            .run();
    FloatMatrix all = pool.embeddings().toMatrix();
    int first = rows(squares).get(0);
    double gap =
        Math.abs(all.get(first, 0) * all.get(first, 0) - all.get(first, 1) * all.get(first, 1));
    for (int i = 4; i < SIZE; i++) {
      double other = Math.abs(all.get(i, 0) * all.get(i, 0) - all.get(i, 1) * all.get(i, 1));
      assertTrue(gap <= other + 1e-6, "row " + i + " is closer to the boundary");
    }
  }

  @Test
  void recordsOptionsUnderTheirUsualNames() {
    Map<String, String> options =
        Query.of(pool)
            .labels(labels)
            .strategy("alfamix", Map.of("cap-step", "0.25", "maxCap", "0.5"))
            .budget(3)
            .run()
            .request()
            .options();
    assertEquals("0.25", options.get("capStep"));
    assertEquals("0.5", options.get("maxCap"));
    assertThrows(
        InvalidRequestException.class,
        () -> Query.of(pool).strategy("alfamix", Map.of("cap-step", "0.25", "capStep", "0.3")));
  }

  @Test
  void picksAreUnlabelledRowsOfThePool() {
    Batch batch = Query.of(pool).labels(labels).budget(10).run();
    assertEquals(10, batch.picks().size());
    assertEquals(10, rows(batch).stream().distinct().count());
    assertTrue(rows(batch).stream().allMatch(row -> row > 3 && row < SIZE), "" + rows(batch));
    assertEquals("left", batch.className(0));
    assertEquals("right", batch.className(1));
  }

  @Test
  void theSameSeedGivesTheSamePicks() {
    Query query = Query.of(pool).labels(labels).strategy("random", Map.of()).budget(10).seed(7);
    List<Integer> first = rows(query.run());
    assertEquals(first, rows(query.run()));
    assertTrue(!first.equals(rows(query.seed(8).run())));
  }

  @Test
  void excludedRowsAreNotPicked() {
    int[] others = IntStream.range(9, SIZE).toArray();
    Batch batch = Query.of(pool).labels(labels).exclude(others).budget(5).run();
    assertEquals(List.of(4, 5, 6, 7, 8), rows(batch).stream().sorted().toList());
  }

  @Test
  void limitsThePicksOfAClass() {
    Batch batch =
        Query.of(pool).labels(labels).strategy("margin", Map.of()).budget(8).perClassCap(3).run();
    Map<Integer, Long> counts =
        batch.picks().stream()
            .collect(Collectors.groupingBy(Pick::predicted, Collectors.counting()));
    assertEquals(Map.of(0, 3L, 1, 3L), counts);
  }

  @Test
  void aDryRunValidatesWithoutSelecting() {
    Batch batch = Query.of(pool).labels(labels).budget(10).dryRun();
    assertEquals(List.of(), batch.picks());
    assertTrue(batch.selection().isEmpty());
    assertEquals(SIZE - 4, batch.scope().eligible().length);
  }

  @Test
  void errorsNameTheParameter() {
    InvalidRequestException budget =
        assertThrows(
            InvalidRequestException.class, () -> Query.of(pool).labels(labels).budget(0).run());
    assertEquals("budget", budget.parameter().orElseThrow());
    assertThrows(
        InvalidRequestException.class,
        () -> Query.of(pool).labels(labels).budget(SIZE).dryRun(),
        "only %d items are unlabelled".formatted(SIZE - 4));
    InvalidRequestException cap =
        assertThrows(
            InvalidRequestException.class,
            () -> Query.of(pool).strategy("coreset", Map.of()).budget(3).perClassCap(1).run());
    assertEquals("perClassCap", cap.parameter().orElseThrow());
  }

  @Test
  void namesUnknownIdsOfLabels() throws IOException {
    Path file = Files.writeString(folder.resolve("bad.csv"), "id,label\nitem-99,left\n");
    String message =
        assertThrows(DataException.class, () -> Labels.read(file, pool, null, null)).getMessage();
    assertTrue(message.contains("bad.csv") && message.contains("item-99"), message);
  }
}
