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
 * ALFA-Mix over a distributed pool. One pass finds what flips; the candidates come to the driver,
 * in the order of their ids, and the engine's own ALFA-Mix chooses among them. A pool of nothing
 * but the candidates has the same candidates, the same cap and the same clusters as the whole one.
 */
final class AlfaMixJob {
  private final Work work;
  private final Clusterer clusterer;
  private final AlfaMix.Options options;

  AlfaMixJob(Work work, Clusterer clusterer) {
    this.work = work;
    this.clusterer = clusterer;
    this.options = work.model().alfaMix();
  }

  /** Refuses what cannot be found item by item. */
  static void check(AlfaMix.Options options) {
    if (options.alpha() != AlfaMix.Alpha.CLOSED_FORM) {
      throw new InvalidRequestException(
          "On a cluster alpha must be closed-form: other ratios are drawn by the row of an item.");
    }
  }

  /** What the pass has counted. */
  @DefaultSerializer(JavaSerializer.class)
  private record Counted(long[] perCap, Totals totals) implements Serializable {
    Counted and(Counted other) {
      long[] sums = perCap.clone();
      Arrays.setAll(sums, s -> sums[s] + other.perCap[s]);
      return new Counted(sums, totals.and(other.totals));
    }
  }

  Chosen run() {
    return work.withModel(
        model -> {
          double[] caps = options.caps();
          JavaRDD<CandidatePass.Found> found =
              work.blocks(Work.BLOCK)
                  .mapPartitions(new CandidatePass(model, caps, work.budget()))
                  .persist(StorageLevel.MEMORY_AND_DISK());
          try {
            return choose(found, caps);
          } finally {
            found.unpersist();
          }
        });
  }

  private Chosen choose(JavaRDD<CandidatePass.Found> found, double[] caps) {
    long start = System.nanoTime();
    Counted counted = count(found, caps);
    Chosen chosen = new Chosen().pool(counted.totals(), work.budget(), work.skipBad());
    chosen.seconds("scan", (System.nanoTime() - start) / 1e9);
    int last = last(counted);
    double cap = caps[last];
    long size = counted.perCap()[last];
    chosen.candidates(size, cap);
    JavaRDD<CandidatePass.Found> candidates =
        found.map(block -> block.below(cap)).filter(block -> block.items().size() > 0);
    if (size <= work.budget() || work.fits(size)) {
      onDriver(found, candidates, chosen);
    } else {
      clusterer.run(work, candidates, size, chosen);
    }
    return chosen;
  }

  private static Counted count(JavaRDD<CandidatePass.Found> found, double[] caps) {
    return found
        .map(block -> new Counted(block.counts(caps), block.totals()))
        .fold(new Counted(new long[caps.length], Totals.NONE), Counted::and);
  }

  /** Which cap is final: the first at which more than the budget flip, else the last. */
  private int last(Counted counted) {
    int last = 0;
    while (last < counted.perCap().length - 1 && counted.perCap()[last] <= work.budget()) {
      last++;
    }
    return last;
  }

  /** Every candidate with its flip cap, as rows; nobody need hold them all. */
  static JavaRDD<Row> candidates(Work work, StructType schema) {
    AlfaMixJob job = new AlfaMixJob(work, null);
    double[] caps = job.options.caps();
    // Not given back: the rows are worked out when somebody asks for them.
    Broadcast<SharedModel> model = work.context().broadcast(work.model());
    JavaRDD<CandidatePass.Found> found =
        work.blocks(Work.BLOCK).mapPartitions(new CandidatePass(model, caps, work.budget()));
    Counted counted = count(found, caps);
    new Chosen().pool(counted.totals(), work.budget(), work.skipBad());
    double cap = caps[job.last(counted)];
    return found.flatMap(
        block -> {
          CandidatePass.Found some = block.below(cap);
          return IntStream.range(0, some.caps().length)
              .mapToObj(
                  i ->
                      RowFactory.create(
                          BatchSelector.asIn(schema, some.items().id(i)), some.caps()[i]))
              .iterator();
        });
  }

  private void onDriver(
      JavaRDD<CandidatePass.Found> found, JavaRDD<CandidatePass.Found> candidates, Chosen chosen) {
    long start = System.nanoTime();
    PoolBlock items =
        PoolBlock.sorted(
                candidates.map(CandidatePass.Found::items).collect(), work.model().features())
            .requireDistinct();
    // Where driver and executors are one process, clustering needs the room.
    found.unpersist(true);
    chosen.seconds("collect", (System.nanoTime() - start) / 1e9);
    SplittableRandom random = work.model().random();
    if (items.size() == 0) {
      // Whoever draws anchors has drawn them, though nothing flips.
      new AlfaMix(options).flips(work.model().snapshot(items.rows()), random);
    } else {
      int budget = Math.min(work.budget(), items.size());
      Selection selection =
          new AlfaMix(options).select(work.model().snapshot(items.rows()), budget, random);
      selection.notes().forEach(chosen::note);
      selection.seconds().forEach((phase, taken) -> chosen.seconds("driver " + phase, taken));
      for (Pick pick : selection.picks()) {
        chosen.pick(items.id(pick.item()), pick);
      }
    }
    if (items.size() < work.budget()) {
      topUp(items, random, chosen);
    }
  }

  /** Draws what is missing from all that does not flip, as the local engine does. */
  private void topUp(PoolBlock candidates, SplittableRandom random, Chosen chosen) {
    int missing = work.budget() - candidates.size();
    Set<Comparable<?>> without = new HashSet<>(Arrays.asList(candidates.ids()));
    long others = chosen.totals().rows() - candidates.size();
    long[] drawn = RandomIndices.distinct(others, missing, random);
    try (Work.Places places = work.places()) {
      List<Comparable<?>> ids = places.at(drawn, without);
      Predictions predictions = Predictions.of(work, ids);
      AlfaMix method = new AlfaMix(options);
      for (Comparable<?> id : ids) {
        chosen.pick(id, method.drawn(0, predictions.of(id)));
      }
    }
    chosen.toppedUp(missing);
  }

  /** Chooses among candidates that are too many for the driver. */
  @FunctionalInterface
  interface Clusterer {
    void run(Work work, JavaRDD<CandidatePass.Found> candidates, long size, Chosen chosen);
  }
}
