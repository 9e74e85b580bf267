package org.alfamix.spark;

import java.util.List;
import org.alfamix.strategy.Pick;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;

/**
 * Methods that choose one item after the other. A pool that fits the driver is chosen from there,
 * in one pass and as the local engine does; a larger one stays where it is, and is asked in rounds.
 */
final class GreedyJob {
  /** Rows of a block: each is asked again in every round, so they are larger than elsewhere. */
  private static final int BLOCK = 32_768;

  /** A method in rounds. */
  @FunctionalInterface
  interface Rounds {
    Chosen run(Work work, JavaRDD<ReadBlock> pool, Totals totals);
  }

  private GreedyJob() {}

  static Chosen run(Work work, Rounds rounds) {
    JavaRDD<ReadBlock> pool =
        work.blocks(BLOCK)
            .map(block -> new ReadBlock(block.items().sorted(), block.bad()))
            .persist(StorageLevel.MEMORY_AND_DISK());
    try {
      Totals totals = pool.map(block -> Totals.of(block, 0)).fold(Totals.NONE, Totals::and);
      return work.fits(totals.rows())
          ? onDriver(work, pool, totals)
          : rounds.run(work, pool, totals);
    } finally {
      pool.unpersist();
    }
  }

  private static Chosen onDriver(Work work, JavaRDD<ReadBlock> pool, Totals totals) {
    Chosen chosen = new Chosen().pool(totals, work.budget(), work.skipBad());
    List<PoolBlock> blocks = pool.map(ReadBlock::items).collect();
    PoolBlock items = PoolBlock.sorted(blocks, work.model().features()).requireDistinct();
    SharedModel model = work.model();
    for (Pick pick :
        model
            .strategy()
            .select(model.snapshot(items.rows()), work.budget(), model.random())
            .picks()) {
      chosen.pick(items.id(pick.item()), pick);
    }
    return chosen;
  }
}
