package org.alfamix.spark;

import java.util.List;
import org.alfamix.strategy.Pick;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/**
 * Methods that pick one item after the other. A pool that fits the driver is collected in one pass
 * and handled by the local engine; a larger one stays on the executors and is processed in rounds.
 */
final class GreedyJob {
  /** Rows of a block. Blocks are larger than elsewhere because every round processes them again. */
  private static final int BLOCK = 32_768;

  /** A method that works in rounds. */
  @FunctionalInterface
  interface Rounds {
    Outcome run(ClusterQuery query, JavaRDD<ReadBlock> pool, Totals totals);
  }

  private GreedyJob() {}

  static Outcome run(ClusterQuery query, Rounds rounds) {
    JavaRDD<ReadBlock> pool =
        query
            .blocks(BLOCK)
            .map(block -> new ReadBlock(block.items().sorted(), block.bad()))
            .persist(StorageLevel.MEMORY_AND_DISK());
    try {
      Totals totals = pool.map(block -> Totals.of(block, 0)).fold(Totals.NONE, Totals::and);
      return query.fits(totals.rows())
          ? onDriver(query, pool, totals)
          : rounds.run(query, pool, totals);
    } finally {
      pool.unpersist();
    }
  }

  private static Outcome onDriver(ClusterQuery query, JavaRDD<ReadBlock> pool, Totals totals) {
    Outcome outcome = new Outcome().checkPool(totals, query.budget(), query.skipBad());
    List<PoolBlock> blocks = pool.map(ReadBlock::items).collect();
    PoolBlock items = PoolBlock.sorted(blocks, query.model().features()).requireDistinct();
    SharedModel model = query.model();
    for (Pick pick :
        model
            .strategy()
            .select(model.snapshot(items.rows()), query.budget(), model.random())
            .picks()) {
      outcome.pick(items.id(pick.item()), pick);
    }
    return outcome;
  }
}
