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
import org.alfamix.cluster.EuclideanCover;
import org.alfamix.cluster.FarthestPoints;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.Parallel;
import org.alfamix.strategy.CoreSet;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;

/**
 * Exact greedy k-center over a distributed pool, in rounds. In each round, every block updates its
 * distances to the picks so far and reports its farthest items, together with the distance of the
 * next item that is not reported. The driver continues to pick among the reported items as long as
 * the farthest of them precedes all that were not reported.
 */
final class CoreSetJob implements Serializable {
  private static final long serialVersionUID = 1;

  /** The minimum number of items that a block reports. */
  private static final int MIN_REPORTED = 64;

  private final Broadcast<SharedModel> model;
  private final int features;

  /**
   * The farthest items of some blocks in the order of ids, and the next item that is not included.
   */
  @DefaultSerializer(JavaSerializer.class)
  private record Report(PoolBlock items, double[] distances, double rest, Comparable<?> restId)
      implements Serializable {
    /** Returns the farthest of these items; the next one becomes the rest. */
    Report truncated(int most) {
      int[] order =
          IntStream.range(0, items.size())
              .boxed()
              .sorted(Comparator.comparingDouble((Integer i) -> -distances[i]))
              .mapToInt(Integer::intValue)
              .toArray();
      // Items are in the order of ids and sorting is stable, so this item precedes the rest.
      int next = order[most];
      int[] kept = Arrays.stream(order).limit(most).sorted().toArray();
      return new Report(
          items.gather(kept),
          Arrays.stream(kept).mapToDouble(i -> distances[i]).toArray(),
          distances[next],
          items.id(next));
    }

    /** Returns whether an item precedes all items that are not included. */
    boolean isBefore(double distance, Comparable<?> id) {
      return restId == null || distance > rest || (distance == rest && Ids.compare(id, restId) < 0);
    }
  }

  private CoreSetJob(Broadcast<SharedModel> model, int features) {
    this.model = model;
    this.features = features;
  }

  /** Picks in order, each with its squared distance at the time of the pick. */
  private static final class Picks {
    private final List<PoolBlock> items = new ArrayList<>();
    private final List<Double> distances = new ArrayList<>();
    private int rounds;

    FloatMatrix rows(int features) {
      return PoolBlock.joined(items, features).rows();
    }
  }

  static Outcome run(ClusterQuery query, JavaRDD<ReadBlock> pool, Totals totals) {
    Outcome outcome = new Outcome().checkPool(totals, query.budget(), query.skipBad());
    Picks picks =
        query.withModel(
            model -> new CoreSetJob(model, query.model().features()).rounds(query, pool));
    PoolBlock items = PoolBlock.joined(picks.items, query.model().features());
    int[] all = IntStream.range(0, items.size()).toArray();
    int[] predicted = query.model().snapshot(items.rows()).predict(all);
    for (int p = 0; p < all.length; p++) {
      outcome.pick(items.id(p), CoreSet.pick(p, picks.distances.get(p), predicted[p]));
    }
    return outcome.note(
        "rounds",
        "%s over the pool; the picks are exact".formatted(Outcome.describePasses(picks.rounds)));
  }

  private Picks rounds(ClusterQuery query, JavaRDD<ReadBlock> pool) {
    Picks picks = new Picks();
    int parts = Math.max(1, pool.getNumPartitions());
    // The reports of all partitions together stay within the limit of the driver.
    long most = Math.max(MIN_REPORTED, query.driverBytes() / PoolBlock.bytes(parts, features));
    while (picks.items.size() < query.budget()) {
      int left = query.budget() - picks.items.size();
      int count = (int) Math.min(most, Math.max(MIN_REPORTED, 4L * left / parts));
      Broadcast<PoolBlock> soFar =
          query.context().broadcast(PoolBlock.joined(picks.items, features));
      try {
        List<Report> reports =
            pool.mapPartitionsWithIndex(
                    (partition, read) -> report(partition, read, soFar.value(), count), false)
                .collect();
        picks.rounds++;
        int before = picks.items.size();
        pickAmong(merged(reports, Integer.MAX_VALUE), left, picks);
        if (picks.items.size() == before) {
          // Items are permanently excluded only if an item with the same id was picked.
          throw Ids.duplicateIds();
        }
      } finally {
        soFar.destroy();
      }
    }
    return picks;
  }

  private Iterator<Report> report(
      int partition, Iterator<ReadBlock> blocks, PoolBlock picked, int count) {
    Set<Comparable<?>> gone = new HashSet<>(Arrays.asList(picked.ids()));
    List<Report> reports = new ArrayList<>();
    for (int b = 0; blocks.hasNext(); b++) {
      PoolBlock items = blocks.next().items();
      BlockCache.Key key = BlockCache.Key.of(partition, b, items);
      reports.add(Parallel.sequentially(() -> report(key, items, picked, gone, count)));
    }
    return reports.isEmpty() ? reports.iterator() : List.of(merged(reports, count)).iterator();
  }

  private Report report(
      BlockCache.Key key, PoolBlock items, PoolBlock picked, Set<Comparable<?>> gone, int count) {
    FloatMatrix rows = items.rows();
    FloatMatrix centres = picked.rows();
    FarthestPoints points =
        model
            .value()
            .cache()
            .getOrCompute(
                key,
                () ->
                    new FarthestPoints(
                        EuclideanCover.squaredDistancesToNearest(rows, model.value().labelled())));
    // Speculative execution may process the same block twice at the same time.
    synchronized (points) {
      List<Integer> farthest = new ArrayList<>();
      while (farthest.size() < count && points.size() > 0) {
        int i = points.farthest(centres.rows(), (point, c) -> distance(rows, point, centres, c));
        points.remove();
        if (!gone.contains(items.id(i))) {
          farthest.add(i);
        }
      }
      boolean more = points.size() > 0;
      int next = more ? points.peek() : -1;
      double rest = more ? points.bound(next) : 0;
      farthest.forEach(points::restore);
      int[] at = farthest.stream().mapToInt(Integer::intValue).sorted().toArray();
      return new Report(
          items.gather(at),
          Arrays.stream(at).mapToDouble(points::bound).toArray(),
          rest,
          more ? items.id(next) : null);
    }
  }

  private static float distance(FloatMatrix a, int i, FloatMatrix b, int j) {
    return Kernels.squaredDistance(
        a.array(), a.rowOffset(i), b.array(), b.rowOffset(j), a.columns());
  }

  /** Merges the farthest items of some parts, up to a maximum; remembers the next one. */
  private Report merged(List<Report> parts, int most) {
    PoolBlock items = PoolBlock.sorted(parts.stream().map(Report::items).toList(), features);
    double[] distances = new double[items.size()];
    for (Report part : parts) {
      for (int i = 0; i < part.items().size(); i++) {
        int at = Arrays.binarySearch(items.ids(), part.items().id(i), Ids::compare);
        distances[at] = part.distances()[i];
      }
    }
    double rest = 0;
    Comparable<?> restId = null;
    for (Report part : parts) {
      if (part.restId() != null
          && (restId == null
              || part.rest() > rest
              || (part.rest() == rest && Ids.compare(part.restId(), restId) < 0))) {
        rest = part.rest();
        restId = part.restId();
      }
    }
    Report all = new Report(items, distances, rest, restId);
    return items.size() <= most ? all : all.truncated(most);
  }

  /** Picks among the reported items while each is also the farthest of the whole pool. */
  private void pickAmong(Report report, int most, Picks picks) {
    FloatMatrix rows = report.items().requireDistinct().rows();
    FarthestPoints points = new FarthestPoints(report.distances());
    List<Integer> fresh = new ArrayList<>();
    while (fresh.size() < most && points.size() > 0) {
      int i =
          points.farthest(fresh.size(), (point, c) -> distance(rows, point, rows, fresh.get(c)));
      if (!report.isBefore(points.bound(i), report.items().id(i))) {
        break;
      }
      fresh.add(i);
      picks.items.add(report.items().gather(new int[] {i}));
      picks.distances.add(points.bound(i));
      points.remove();
    }
  }
}
