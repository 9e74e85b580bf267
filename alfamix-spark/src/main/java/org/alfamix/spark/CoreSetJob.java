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
import java.util.UUID;
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
 * Greedy k-center over a distributed pool, exactly, in rounds. In each, every block brings its
 * distances up to date with the picks so far and names its farthest items, and how far the next one
 * is that it does not name. The driver goes on picking among those named as long as the farthest of
 * them comes before anything that was not.
 */
final class CoreSetJob implements Serializable {
  private static final long serialVersionUID = 1;

  /** A block names at least so many items. */
  private static final int LEAST_NAMED = 64;

  private final String job = UUID.randomUUID().toString();
  private final Broadcast<SharedModel> model;
  private final int features;

  /**
   * The farthest items of some blocks in the order of ids, and the first that is not among them.
   */
  @DefaultSerializer(JavaSerializer.class)
  private record Named(PoolBlock items, double[] distances, double rest, Comparable<?> restId)
      implements Serializable {
    /** So many of them; the next one is the first that is left out now. */
    Named farthest(int most) {
      int[] order =
          IntStream.range(0, items.size())
              .boxed()
              .sorted(Comparator.comparingDouble((Integer i) -> -distances[i]))
              .mapToInt(Integer::intValue)
              .toArray();
      // Items are in the order of ids, and sorting leaves equal ones so: this comes before the
      // rest.
      int next = order[most];
      int[] kept = Arrays.stream(order).limit(most).sorted().toArray();
      return new Named(
          items.gather(kept),
          Arrays.stream(kept).mapToDouble(i -> distances[i]).toArray(),
          distances[next],
          items.id(next));
    }

    /** Whether an item comes before all that were not named. */
    boolean isBefore(double distance, Comparable<?> id) {
      return restId == null || distance > rest || (distance == rest && Ids.compare(id, restId) < 0);
    }
  }

  private CoreSetJob(Broadcast<SharedModel> model, int features) {
    this.model = model;
    this.features = features;
  }

  /** Picks in order, each with its squared distance when it was picked. */
  private static final class Picks {
    private final List<PoolBlock> items = new ArrayList<>();
    private final List<Double> distances = new ArrayList<>();
    private int rounds;

    FloatMatrix rows(int features) {
      return PoolBlock.joined(items, features).rows();
    }
  }

  static Chosen run(Work work, JavaRDD<ReadBlock> pool, Totals totals) {
    Chosen chosen = new Chosen().pool(totals, work.budget(), work.skipBad());
    Picks picks =
        work.withModel(model -> new CoreSetJob(model, work.model().features()).rounds(work, pool));
    PoolBlock items = PoolBlock.joined(picks.items, work.model().features());
    int[] all = IntStream.range(0, items.size()).toArray();
    int[] predicted = work.model().snapshot(items.rows()).predict(all);
    for (int p = 0; p < all.length; p++) {
      chosen.pick(items.id(p), CoreSet.pick(p, picks.distances.get(p), predicted[p]));
    }
    return chosen.note(
        "rounds", "%s over the pool; the picks are exact".formatted(Chosen.passes(picks.rounds)));
  }

  private Picks rounds(Work work, JavaRDD<ReadBlock> pool) {
    Picks picks = new Picks();
    try {
      pick(work, pool, picks);
    } finally {
      ProcessMemory.forget(job);
    }
    return picks;
  }

  private void pick(Work work, JavaRDD<ReadBlock> pool, Picks picks) {
    int parts = Math.max(1, pool.getNumPartitions());
    // What all partitions name together stays within what may come to the driver.
    long most = Math.max(LEAST_NAMED, work.driverBytes() / PoolBlock.bytes(parts, features));
    while (picks.items.size() < work.budget()) {
      int left = work.budget() - picks.items.size();
      int naming = (int) Math.min(most, Math.max(LEAST_NAMED, 4L * left / parts));
      Broadcast<PoolBlock> soFar =
          work.context().broadcast(PoolBlock.joined(picks.items, features));
      try {
        List<Named> named =
            pool.mapPartitionsWithIndex(
                    (partition, read) -> name(partition, read, soFar.value(), naming), false)
                .collect();
        picks.rounds++;
        int before = picks.items.size();
        choose(merged(named, Integer.MAX_VALUE), left, picks);
        if (picks.items.size() == before) {
          // Only an item whose twin was picked is left out for good.
          throw Ids.twice();
        }
      } finally {
        soFar.destroy();
      }
    }
  }

  private Iterator<Named> name(
      int partition, Iterator<ReadBlock> blocks, PoolBlock picked, int naming) {
    Set<Comparable<?>> gone = new HashSet<>(Arrays.asList(picked.ids()));
    List<Named> named = new ArrayList<>();
    for (int b = 0; blocks.hasNext(); b++) {
      PoolBlock items = blocks.next().items();
      ProcessMemory.Key key =
          new ProcessMemory.Key(job, partition, b, ProcessMemory.fingerprint(items));
      named.add(Parallel.alone(() -> name(key, items, picked, gone, naming)));
    }
    return named.isEmpty() ? named.iterator() : List.of(merged(named, naming)).iterator();
  }

  private Named name(
      ProcessMemory.Key key,
      PoolBlock items,
      PoolBlock picked,
      Set<Comparable<?>> gone,
      int naming) {
    FloatMatrix rows = items.rows();
    FloatMatrix centres = picked.rows();
    FarthestPoints points =
        ProcessMemory.recall(
            key,
            () ->
                new FarthestPoints(
                    EuclideanCover.squaredDistancesToNearest(rows, model.value().labelled())));
    // The same block may be asked for twice at a time where Spark speculates.
    synchronized (points) {
      List<Integer> farthest = new ArrayList<>();
      while (farthest.size() < naming && points.size() > 0) {
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
      return new Named(
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

  /** The farthest of some parts, so many at most; the first that is left out is remembered. */
  private Named merged(List<Named> parts, int most) {
    PoolBlock items = PoolBlock.sorted(parts.stream().map(Named::items).toList(), features);
    double[] distances = new double[items.size()];
    for (Named part : parts) {
      for (int i = 0; i < part.items().size(); i++) {
        int at = Arrays.binarySearch(items.ids(), part.items().id(i), Ids::compare);
        distances[at] = part.distances()[i];
      }
    }
    double rest = 0;
    Comparable<?> restId = null;
    for (Named part : parts) {
      if (part.restId() != null
          && (restId == null
              || part.rest() > rest
              || (part.rest() == rest && Ids.compare(part.restId(), restId) < 0))) {
        rest = part.rest();
        restId = part.restId();
      }
    }
    Named all = new Named(items, distances, rest, restId);
    return items.size() <= most ? all : all.farthest(most);
  }

  /** Goes on among those named for as long as that is what the whole pool would say. */
  private void choose(Named named, int most, Picks picks) {
    FloatMatrix rows = named.items().requireDistinct().rows();
    FarthestPoints points = new FarthestPoints(named.distances());
    List<Integer> fresh = new ArrayList<>();
    while (fresh.size() < most && points.size() > 0) {
      int i =
          points.farthest(fresh.size(), (point, c) -> distance(rows, point, rows, fresh.get(c)));
      if (!named.isBefore(points.bound(i), named.items().id(i))) {
        break;
      }
      fresh.add(i);
      picks.items.add(named.items().gather(new int[] {i}));
      picks.distances.add(points.bound(i));
      points.remove();
    }
  }
}
