package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.alfamix.math.Parallel;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.Selection;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;

/**
 * Methods that rank items by independent scores, in one pass: the best items of a pool are among
 * the best of its parts. The strategy itself selects the best of some blocks, of two parts, and
 * finally of all.
 */
final class RankedJob implements Serializable {
  private static final long serialVersionUID = 1;

  private final Broadcast<SharedModel> model;
  private final int budget;

  /** The best of some rows, and the totals. */
  @DefaultSerializer(JavaSerializer.class)
  private record Part(PoolBlock best, Totals totals) implements Serializable {}

  private RankedJob(Broadcast<SharedModel> model, int budget) {
    this.model = model;
    this.budget = budget;
  }

  static Outcome run(ClusterQuery query) {
    return query.withModel(
        model -> {
          RankedJob job = new RankedJob(model, query.budget());
          JavaRDD<Part> parts =
              query
                  .blocks(ClusterQuery.BLOCK)
                  .mapPartitions(blocks -> List.of(job.part(blocks)).iterator());
          Part all =
              parts.getNumPartitions() == 0
                  ? new Part(PoolBlock.empty(query.model().features()), Totals.NONE)
                  : parts.treeReduce((one, two) -> job.merged(one, two));
          Outcome outcome = new Outcome().checkPool(all.totals(), query.budget(), query.skipBad());
          PoolBlock best = all.best().sorted().requireDistinct();
          for (Pick pick : job.select(best).picks()) {
            outcome.pick(best.id(pick.item()), pick);
          }
          return outcome;
        });
  }

  private Part part(Iterator<ReadBlock> blocks) {
    int enough = Math.max(ClusterQuery.BLOCK, 4 * budget);
    PoolBlock best = PoolBlock.empty(model.value().features());
    Totals totals = Totals.NONE;
    List<PoolBlock> waiting = new ArrayList<>();
    int rows = 0;
    while (blocks.hasNext()) {
      ReadBlock block = blocks.next();
      totals = totals.and(Totals.of(block, 0));
      waiting.add(block.items());
      rows += block.items().size();
      if (rows >= enough || !blocks.hasNext()) {
        long start = System.nanoTime();
        waiting.add(best);
        best = best(waiting);
        waiting.clear();
        rows = 0;
        totals =
            new Totals(
                totals.rows(),
                totals.bad(),
                totals.kernels(),
                totals.nanos() + System.nanoTime() - start);
      }
    }
    return new Part(best, totals);
  }

  private Part merged(Part one, Part two) {
    return new Part(best(List.of(one.best(), two.best())), one.totals().and(two.totals()));
  }

  private PoolBlock best(List<PoolBlock> blocks) {
    PoolBlock all = PoolBlock.sorted(blocks, model.value().features());
    if (all.size() <= budget) {
      return all;
    }
    int[] items = Parallel.sequentially(() -> select(all)).items();
    Arrays.sort(items);
    return all.gather(items);
  }

  /** Runs the strategy on some rows, which are in the order of their ids. */
  private Selection select(PoolBlock items) {
    SharedModel known = model.value();
    return known.strategy().select(known.snapshot(items.rows()), budget, known.random());
  }
}
