package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.math.RandomIndices;
import org.alfamix.strategy.AlfaMix;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.Selection;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;

/**
 * ALFA-Mix over a distributed pool. One pass finds the candidates, which are sent to the driver in
 * the order of their ids; the engine's ALFA-Mix then selects among them. A pool that consists only
 * of the candidates has the same candidates, the same cap and the same clusters as the whole pool.
 */
final class AlfaMixJob {
  private final ClusterQuery query;
  private final Clusterer clusterer;
  private final AlfaMix.Options options;

  AlfaMixJob(ClusterQuery query, Clusterer clusterer) {
    this.query = query;
    this.clusterer = clusterer;
    this.options = query.model().alfaMix();
  }

  /** Rejects options whose flips cannot be computed item by item. */
  static void check(AlfaMix.Options options) {
    if (options.alpha() != AlfaMix.Alpha.CLOSED_FORM) {
      throw new InvalidRequestException(
          "On a cluster, alpha must be closed-form: the other choices depend on row numbers.");
    }
  }

  /** The counts of the pass. */
  @DefaultSerializer(JavaSerializer.class)
  private record Counts(long[] perCap, Totals totals) implements Serializable {
    Counts and(Counts other) {
      long[] sums = perCap.clone();
      Arrays.setAll(sums, s -> sums[s] + other.perCap[s]);
      return new Counts(sums, totals.and(other.totals));
    }
  }

  Outcome run() {
    return query.withModel(
        model -> {
          double[] caps = options.caps();
          JavaRDD<CandidatePass.CandidateBlock> found =
              query
                  .blocks(ClusterQuery.BLOCK)
                  .mapPartitions(new CandidatePass(model, caps, query.budget()))
                  .persist(StorageLevel.MEMORY_AND_DISK());
          try {
            return choose(found, caps);
          } finally {
            found.unpersist();
          }
        });
  }

  private Outcome choose(JavaRDD<CandidatePass.CandidateBlock> found, double[] caps) {
    long start = System.nanoTime();
    Counts counts = count(found, caps);
    Outcome outcome = new Outcome().checkPool(counts.totals(), query.budget(), query.skipBad());
    outcome.seconds("scan", (System.nanoTime() - start) / 1e9);
    int last = finalCapIndex(counts);
    double cap = caps[last];
    long size = counts.perCap()[last];
    outcome.candidates(size, cap);
    JavaRDD<CandidatePass.CandidateBlock> candidates =
        found.map(block -> block.below(cap)).filter(block -> block.items().size() > 0);
    if (size <= query.budget() || query.fits(size)) {
      onDriver(found, candidates, outcome);
    } else {
      clusterer.run(query, candidates, size, outcome);
    }
    return outcome;
  }

  private static Counts count(JavaRDD<CandidatePass.CandidateBlock> found, double[] caps) {
    return found
        .map(block -> new Counts(block.counts(caps), block.totals()))
        .fold(new Counts(new long[caps.length], Totals.NONE), Counts::and);
  }

  /** Returns the index of the final cap: the first with more flips than the budget, or the last. */
  private int finalCapIndex(Counts counts) {
    int last = 0;
    while (last < counts.perCap().length - 1 && counts.perCap()[last] <= query.budget()) {
      last++;
    }
    return last;
  }

  /** Returns every candidate with its flip cap, as rows that are computed lazily. */
  static JavaRDD<Row> candidates(ClusterQuery query, StructType schema) {
    AlfaMixJob job = new AlfaMixJob(query, null);
    double[] caps = job.options.caps();
    // Not destroyed here: the rows are computed when they are requested.
    Broadcast<SharedModel> model = query.context().broadcast(query.model());
    JavaRDD<CandidatePass.CandidateBlock> found =
        query
            .blocks(ClusterQuery.BLOCK)
            .mapPartitions(new CandidatePass(model, caps, query.budget()));
    Counts counts = count(found, caps);
    new Outcome().checkPool(counts.totals(), query.budget(), query.skipBad());
    double cap = caps[job.finalCapIndex(counts)];
    return found.flatMap(
        block -> {
          CandidatePass.CandidateBlock some = block.below(cap);
          return IntStream.range(0, some.caps().length)
              .mapToObj(
                  i ->
                      RowFactory.create(
                          BatchSelector.toColumnType(schema, some.items().id(i)), some.caps()[i]))
              .iterator();
        });
  }

  private void onDriver(
      JavaRDD<CandidatePass.CandidateBlock> found,
      JavaRDD<CandidatePass.CandidateBlock> candidates,
      Outcome outcome) {
    long start = System.nanoTime();
    PoolBlock items =
        PoolBlock.sorted(
                candidates.map(CandidatePass.CandidateBlock::items).collect(),
                query.model().features())
            .requireDistinct();
    // If the driver and the executors are one process, clustering needs the memory.
    found.unpersist(true);
    outcome.seconds("collect", (System.nanoTime() - start) / 1e9);
    SplittableRandom random = query.model().random();
    if (items.size() == 0) {
      // Random anchors advance the generator even if nothing flips.
      new AlfaMix(options).flips(query.model().snapshot(items.rows()), random);
    } else {
      int budget = Math.min(query.budget(), items.size());
      Selection selection =
          new AlfaMix(options).select(query.model().snapshot(items.rows()), budget, random);
      selection.notes().forEach(outcome::note);
      selection.seconds().forEach((phase, taken) -> outcome.seconds("driver " + phase, taken));
      for (Pick pick : selection.picks()) {
        outcome.pick(items.id(pick.item()), pick);
      }
    }
    if (items.size() < query.budget()) {
      topUp(items, random, outcome);
    }
  }

  /** Fills the batch with random items among those that do not flip, like the local engine. */
  private void topUp(PoolBlock candidates, SplittableRandom random, Outcome outcome) {
    int missing = query.budget() - candidates.size();
    Set<Comparable<?>> without = new HashSet<>(Arrays.asList(candidates.ids()));
    long others = outcome.totals().rows() - candidates.size();
    long[] drawn = RandomIndices.distinct(others, missing, random);
    try (ClusterQuery.SortedIds sortedIds = query.sortedIds()) {
      List<Comparable<?>> ids = sortedIds.at(drawn, without);
      Predictions predictions = Predictions.of(query, ids);
      AlfaMix method = new AlfaMix(options);
      for (Comparable<?> id : ids) {
        outcome.pick(id, method.randomPick(0, predictions.of(id)));
      }
    }
    outcome.toppedUp(missing);
  }

  /** Selects among more candidates than the driver can hold. */
  @FunctionalInterface
  interface Clusterer {
    void run(
        ClusterQuery query,
        JavaRDD<CandidatePass.CandidateBlock> candidates,
        long size,
        Outcome outcome);
  }
}
