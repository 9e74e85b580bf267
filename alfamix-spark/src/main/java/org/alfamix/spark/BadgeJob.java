package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.alfamix.cluster.OuterProductPoints;
import org.alfamix.math.Parallel;
import org.alfamix.strategy.Badge;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;

/** BADGE over a distributed pool: see {@link ThinnedSampler}. */
final class BadgeJob implements ThinnedSampler.Pool {
  private final ClusterQuery query;
  private final JavaRDD<ReadBlock> pool;
  private final Passes passes;

  private BadgeJob(ClusterQuery query, JavaRDD<ReadBlock> pool, Broadcast<SharedModel> model) {
    this.query = query;
    this.pool = pool;
    this.passes = new Passes(model);
  }

  static Outcome run(ClusterQuery query, JavaRDD<ReadBlock> pool, Totals totals) {
    Outcome outcome = new Outcome().checkPool(totals, query.budget(), query.skipBad());
    ThinnedSampler draws =
        query.withModel(
            model -> {
              BadgeJob job = new BadgeJob(query, pool, model);
              ThinnedSampler running = new ThinnedSampler(query.model(), job);
              running.run(query.budget());
              return running;
            });
    PoolBlock items = draws.all();
    items.sorted().requireDistinct();
    OuterProductPoints gradients = Badge.gradients(query.model().snapshot(items.rows()));
    int[] all = IntStream.range(0, items.size()).toArray();
    int[] predicted = query.model().snapshot(items.rows()).predict(all);
    for (int p = 0; p < all.length; p++) {
      outcome.pick(
          items.id(p), Badge.pick(p, draws.score(p), gradients.squaredNorm(p), predicted[p]));
    }
    return outcome.note(
        "rounds",
        "%s over the pool; the picks have the probabilities of k-means++ but differ from those of the local engine"
            .formatted(Outcome.describePasses(draws.rounds() + 1)));
  }

  @Override
  public PoolBlock largest() {
    return pool.mapPartitions(passes::largest)
        .reduce((one, two) -> one.isBefore(two) ? one : two)
        .item();
  }

  @Override
  public ThinnedSampler.Round round(int round, PoolBlock picks, double length) {
    // A local variable, because this object is not serialized to the executors.
    Passes running = passes;
    Broadcast<PoolBlock> soFar = query.context().broadcast(picks);
    try {
      List<Part> parts =
          pool.mapPartitionsWithIndex(
                  (partition, blocks) ->
                      running.round(partition, blocks, round, soFar.value(), length),
                  false)
              .collect();
      List<ThinnedSampler.Proposal> proposals = new ArrayList<>();
      parts.forEach(part -> proposals.addAll(part.proposals()));
      return new ThinnedSampler.Round(proposals, parts.stream().mapToDouble(Part::sum).sum());
    } finally {
      soFar.destroy();
    }
  }

  @Override
  public List<PoolBlock> others(Set<Comparable<?>> picked, int count) {
    Set<Comparable<?>> wanted = query.withIds(picked, gone -> smallest(gone, count));
    if (wanted.size() < count) {
      throw Ids.duplicateIds();
    }
    List<PoolBlock> found =
        query.withIds(
            wanted,
            ids ->
                pool.map(block -> block.items().only(ids.value()::contains))
                    .filter(block -> block.size() > 0)
                    .collect());
    PoolBlock all = PoolBlock.sorted(found, query.model().features()).requireDistinct();
    return IntStream.range(0, count).mapToObj(i -> all.gather(new int[] {i})).toList();
  }

  /** Returns the smallest ids of the pool that are not among some ids. */
  private Set<Comparable<?>> smallest(Broadcast<HashSet<Comparable<?>>> gone, int count) {
    JavaRDD<Comparable<?>> all =
        pool.flatMap(block -> Arrays.asList(block.items().ids()).iterator());
    Comparator<Comparable<?>> order =
        (Comparator<Comparable<?>> & Serializable) (one, two) -> Ids.compare(one, two);
    return new HashSet<>(all.filter(id -> !gone.value().contains(id)).takeOrdered(count, order));
  }

  /** The item with the largest gradient of a part. */
  @DefaultSerializer(JavaSerializer.class)
  private record Largest(PoolBlock item, float norm) implements Serializable {
    boolean isBefore(Largest other) {
      return norm > other.norm
          || (norm == other.norm && Ids.compare(item.id(0), other.item.id(0)) < 0);
    }
  }

  /** The contribution of a partition to a round. */
  @DefaultSerializer(JavaSerializer.class)
  private record Part(List<ThinnedSampler.Proposal> proposals, double sum)
      implements Serializable {}

  /** The cached state of a block: squared distances to the picks seen so far. */
  private static final class Distances {
    private float[] least;
    private int seen;
  }

  /** The code that runs on executors. */
  private record Passes(Broadcast<SharedModel> model) implements Serializable {

    Iterator<Largest> largest(Iterator<ReadBlock> blocks) {
      Largest best = null;
      while (blocks.hasNext()) {
        PoolBlock items = blocks.next().items();
        if (items.size() == 0) {
          continue;
        }
        OuterProductPoints gradients = gradients(items);
        int first = 0;
        for (int i = 1; i < items.size(); i++) {
          if (gradients.squaredNorm(i) > gradients.squaredNorm(first)) {
            first = i;
          }
        }
        Largest found = new Largest(items.gather(new int[] {first}), gradients.squaredNorm(first));
        best = best == null || found.isBefore(best) ? found : best;
      }
      return best == null ? List.<Largest>of().iterator() : List.of(best).iterator();
    }

    private OuterProductPoints gradients(PoolBlock items) {
      return Parallel.sequentially(() -> Badge.gradients(model.value().snapshot(items.rows())));
    }

    Iterator<Part> round(
        int partition, Iterator<ReadBlock> blocks, int round, PoolBlock picks, double length) {
      List<ThinnedSampler.Proposal> proposals = new ArrayList<>();
      double sum = 0;
      for (int b = 0; blocks.hasNext(); b++) {
        PoolBlock items = blocks.next().items();
        float[] least = least(BlockCache.Key.of(partition, b, items), items, picks);
        for (float value : least) {
          sum += value;
        }
        ThinnedSampler.propose(items, least, model.value().seed(), round, length, proposals);
      }
      return List.of(new Part(proposals, sum)).iterator();
    }

    /** Returns squared distances to the picks, 0 for the picks themselves. */
    private float[] least(BlockCache.Key key, PoolBlock items, PoolBlock picks) {
      Distances known = model.value().cache().getOrCompute(key, Distances::new);
      synchronized (known) {
        int n = items.size();
        if (known.least == null) {
          known.least = new float[n];
          Arrays.fill(known.least, Float.POSITIVE_INFINITY);
        }
        int[] fresh = IntStream.range(known.seen, picks.size()).toArray();
        if (fresh.length > 0) {
          // One set of points, so that distances to picks are computed like those among items.
          OuterProductPoints points =
              gradients(PoolBlock.joined(List.of(items, picks.gather(fresh)), items.features()));
          float[] least = Arrays.copyOf(known.least, n + fresh.length);
          Parallel.sequentially(
              () -> {
                IntStream.range(n, least.length).forEach(c -> points.lowerDistances(c, least));
                return null;
              });
          Set<Comparable<?>> gone = new HashSet<>(Arrays.asList(picks.gather(fresh).ids()));
          for (int i = 0; i < n; i++) {
            known.least[i] = gone.contains(items.id(i)) ? 0 : least[i];
          }
          known.seen = picks.size();
        }
        return known.least.clone();
      }
    }
  }
}
