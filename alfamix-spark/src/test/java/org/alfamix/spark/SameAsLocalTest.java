package org.alfamix.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alfamix.io.CodePoints;
import org.alfamix.math.FloatMatrix;
import org.alfamix.select.Batch;
import org.alfamix.select.Pool;
import org.alfamix.select.Query;
import org.alfamix.strategy.Pick;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The cluster selects the same items as the local engine, for any partitioning of the pool. */
class SameAsLocalTest {
  private static final long SEED = 9;

  static Stream<Arguments> goldenCases() {
    return Stream.of("edge", "few", "letter", "mnist")
        .flatMap(name -> Stream.of(1, 7, 64).map(partitions -> Arguments.of(name, partitions)));
  }

  @ParameterizedTest
  @MethodSource("goldenCases")
  void alfaMixMatchesOnGoldenCases(String name, int partitions) {
    assertAlfaMix(SparkTables.golden(name), partitions);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void alfaMixMatchesOnALargePool(int partitions) {
    assertAlfaMix(Large.CASE, partitions);
  }

  /** 50,000 × 256, created once. */
  private static final class Large {
    static final SparkTables.Case CASE = SparkTables.clouds(50_000, 256, 10, 500, 200);
  }

  private static void assertAlfaMix(SparkTables.Case pool, int partitions) {
    Batch local = pool.local("alfamix", SEED);
    Dataset<Row> table = pool.table(partitions).persist();
    try {
      BatchSelector selector = pool.selector("alfamix", SEED);
      SparkBatch batch = selector.select(table);
      assertEquals(local.mixing().map(each -> each.cap()).orElse(Double.NaN), batch.cap());
      assertEquals(local.selection().orElseThrow().candidates(), batch.candidates());
      assertEquals(local.randomPicks(), batch.toppedUp());
      assertEquals(candidates(local), candidates(selector.candidates(table)));
      assertEquals(lines(local), lines(batch.picks()));
    } finally {
      table.unpersist();
    }
  }

  private static Map<String, Double> candidates(Batch batch) {
    Map<String, Double> result = new HashMap<>();
    int[] rows = batch.candidateRows();
    for (int c = 0; c < rows.length; c++) {
      result.put(batch.pool().id(rows[c]), batch.flipCaps()[c]);
    }
    return result;
  }

  private static Map<String, Double> candidates(Dataset<Row> table) {
    Map<String, Double> result = new HashMap<>();
    table.collectAsList().forEach(row -> result.put(row.get(0).toString(), row.getDouble(1)));
    return result;
  }

  static Stream<Arguments> otherMethods() {
    return Stream.of("random", "entropy", "least-confidence", "margin", "badge", "coreset")
        .flatMap(name -> Stream.of(1, 7, 64).map(partitions -> Arguments.of(name, partitions)));
  }

  @ParameterizedTest
  @MethodSource("otherMethods")
  void otherMethodsMatchOnAGoldenCase(String strategy, int partitions) {
    SparkTables.Case pool = SparkTables.golden("letter");
    Batch local = pool.local(strategy, SEED);
    SparkBatch batch = pool.selector(strategy, SEED).select(pool.table(partitions));
    assertEquals(lines(local), lines(batch.picks()));
  }

  /** With a limit of one byte on the driver, the pool stays on the cluster. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void coreSetInRoundsMatches(int partitions) {
    for (SparkTables.Case pool :
        List.of(SparkTables.golden("edge"), SparkTables.clouds(6000, 16, 4, 40, 300))) {
      Batch local = pool.local("coreset", SEED);
      SparkBatch batch =
          pool.selector("coreset", SEED).setDriverBytes(1).select(pool.table(partitions));
      assertEquals(lines(local), lines(batch.picks()));
    }
  }

  /** In UTF-16, surrogates sort before U+FFFD; by code points, they sort after it. */
  @Test
  void randomMatchesForIdsBeyondTheBasicPlane() {
    FloatMatrix rows = SparkTables.clouds(200, 4, 2, 10, 30).rows();
    List<String> ids =
        IntStream.range(0, 200)
            .mapToObj(i -> (i < 100 ? "\uFFFD" : "\uD83D\uDE00") + (1000 + i))
            .sorted(CodePoints.ORDER)
            .toList();
    Batch local =
        Query.of(Pool.of(rows, ids)).strategy("random", Map.of()).budget(30).seed(SEED).run();
    List<Row> table = new ArrayList<>();
    for (int i = 0; i < ids.size(); i++) {
      table.add(RowFactory.create(ids.get(i), rows.row(i)));
    }
    Collections.shuffle(table, new Random(1));
    SparkBatch batch =
        new BatchSelector()
            .setStrategy("random")
            .setBudget(30)
            .setSeed(SEED)
            .select(SparkTables.textTable(table, 7));
    assertEquals(
        local.picks().stream().map(pick -> ids.get(pick.item())).toList(),
        batch.picks().collectAsList().stream().map(row -> row.getString(0)).toList());
  }

  static List<String> lines(Batch batch) {
    List<String> lines = new ArrayList<>();
    for (Pick pick : batch.picks()) {
      lines.add(
          batch.pool().id(pick.item())
              + " "
              + (lines.size() + 1)
              + " "
              + pick.score()
              + " "
              + (pick.cluster() < 0 ? null : pick.cluster())
              + " "
              + batch.className(pick.predicted())
              + " "
              + pick.reason());
    }
    return lines;
  }

  static List<String> lines(Dataset<Row> picks) {
    return picks.collectAsList().stream().map(row -> row.mkString(" ")).toList();
  }
}
