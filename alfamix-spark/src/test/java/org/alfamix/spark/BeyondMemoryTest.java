package org.alfamix.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alfamix.io.array.Npy;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pools whose data exceed the limit of the driver. */
@Tag("slow")
class BeyondMemoryTest {
  private static final int BUDGET = 40;

  /** Several hundred candidates, with memory for a hundred. */
  private final SparkTables.Case pool = SparkTables.clouds(6000, 16, 4, 200, BUDGET);

  private static final long LIMIT = 100 * 16 * Float.BYTES;

  @Test
  void computesTheSameCentresOnASampleForAnyPartitioning() {
    List<String> first = null;
    for (int partitions : new int[] {1, 7, 64}) {
      SparkBatch batch =
          pool.selector("alfamix", 3).setDriverBytes(LIMIT).select(pool.table(partitions));
      assertTrue(batch.notes().get("clustering").startsWith("approximate: "));
      assertSpread(batch);
      List<String> lines = SameAsLocalTest.lines(batch.picks());
      first = first == null ? lines : first;
      assertEquals(first, lines);
    }
  }

  @Test
  void computesCentresWithMllib() {
    SparkBatch batch =
        pool.selector("alfamix", 3)
            .setDriverBytes(LIMIT)
            .setClustering("mllib")
            .select(pool.table(7));
    assertTrue(batch.notes().get("clustering").startsWith("MLlib's k-means||"));
    assertSpread(batch);
  }

  /**
   * Asserts that the picks are distinct candidates, one per cluster, in the order of their caps.
   */
  private void assertSpread(SparkBatch batch) {
    Set<Long> candidates = new HashSet<>();
    pool.selector("alfamix", 3)
        .candidates(pool.table(3))
        .collectAsList()
        .forEach(row -> candidates.add(row.getLong(0)));
    assertEquals(candidates.size(), batch.candidates());
    Set<Long> ids = new HashSet<>();
    Set<Integer> clusters = new HashSet<>();
    double last = 0;
    for (Row row : batch.picks().collectAsList()) {
      ids.add(row.getLong(0));
      assertTrue(row.getDouble(2) >= last);
      last = row.getDouble(2);
      if (!row.isNullAt(3)) {
        assertTrue(clusters.add(row.getInt(3)), "one pick per cluster");
      }
    }
    assertEquals(BUDGET, ids.size());
    assertTrue(candidates.containsAll(ids));
    int filled = batch.notes().containsKey("filled") ? BUDGET - clusters.size() : 0;
    assertEquals(BUDGET, clusters.size() + filled);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void badgeInRoundsDoesNotDependOnPartitions(int partitions) {
    SparkBatch one = pool.selector("badge", 3).setDriverBytes(1).select(pool.table(3));
    SparkBatch other = pool.selector("badge", 3).setDriverBytes(1).select(pool.table(partitions));
    assertEquals(SameAsLocalTest.lines(one.picks()), SameAsLocalTest.lines(other.picks()));
    assertNotNull(other.notes().get("rounds"));
    assertEquals(BUDGET, other.picks().select("id").distinct().count());
  }

  @Test
  void badgeStartsWithTheLargestGradient() {
    for (String name : List.of("edge", "letter", "mnist")) {
      SparkTables.Case golden = SparkTables.golden(name);
      SparkBatch batch = golden.selector("badge", 3).setDriverBytes(1).select(golden.table(7));
      int first =
          Npy.open(SparkTables.GOLDEN.resolve(name).resolve("badge_first.npy")).readInts()[0];
      assertEquals(first, batch.picks().first().getLong(0), name);
    }
  }
}
