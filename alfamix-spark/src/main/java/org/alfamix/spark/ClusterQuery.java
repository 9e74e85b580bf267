package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * The request for a selection on a cluster.
 *
 * @param table the pool
 * @param skipBad whether invalid rows are skipped
 * @param driverBytes maximum size of embeddings on the driver, in bytes
 */
record ClusterQuery(
    JavaSparkContext context,
    SharedModel model,
    PoolTable table,
    int budget,
    boolean skipBad,
    long driverBytes) {
  /** Rows of a block that is processed once: together with its products it fits the cache. */
  static final int BLOCK = 4096;

  /** Returns the pool in blocks of at most {@code size} rows. */
  JavaRDD<ReadBlock> blocks(int size) {
    return table.blocks(model.features(), size);
  }

  /** Returns whether n embeddings fit the limit of the driver. */
  boolean fits(long items) {
    return PoolBlock.bytes(items, model.features()) <= driverBytes;
  }

  /** A computation on the pool that needs the model on all executors. */
  @FunctionalInterface
  interface ModelFunction<T> {
    T run(Broadcast<SharedModel> model);
  }

  /** Runs a computation with the model broadcast to all executors. */
  <T> T withModel(ModelFunction<T> function) {
    Broadcast<SharedModel> shared = context.broadcast(model);
    try {
      return function.run(shared);
    } finally {
      shared.destroy();
    }
  }

  /** A computation on the pool that needs a set of ids on all executors. */
  @FunctionalInterface
  interface IdFunction<T> {
    T run(Broadcast<HashSet<Comparable<?>>> ids);
  }

  /** Runs a computation with a set of ids broadcast to all executors, rather than to each task. */
  <T> T withIds(Set<Comparable<?>> ids, IdFunction<T> function) {
    Broadcast<HashSet<Comparable<?>>> shared = context.broadcast(new HashSet<>(ids));
    try {
      return function.run(shared);
    } finally {
      shared.destroy();
    }
  }

  /** Returns the items with these ids, in the order of ids; takes a pass over the pool. */
  PoolBlock fetch(Set<Comparable<?>> ids) {
    List<PoolBlock> found =
        withIds(
            ids,
            wanted ->
                blocks(BLOCK)
                    .map(block -> block.items().only(wanted.value()::contains))
                    .filter(block -> block.size() > 0)
                    .collect());
    return PoolBlock.sorted(found, model.features()).requireDistinct();
  }

  /** The ids of a pool, cached while items are sampled from them. */
  static final class SortedIds implements AutoCloseable {
    private final ClusterQuery query;
    private final JavaRDD<Tuple2<ReadIds, Totals>> read;

    @DefaultSerializer(JavaSerializer.class)
    private record ReadIds(Comparable<?>[] ids) implements java.io.Serializable {}

    private SortedIds(ClusterQuery query, JavaRDD<ReadBlock> blocks) {
      this.query = query;
      this.read =
          blocks
              .map(block -> new Tuple2<>(new ReadIds(block.items().ids()), Totals.of(block, 0)))
              .persist(StorageLevel.MEMORY_AND_DISK());
    }

    Totals totals() {
      return read.map(Tuple2::_2).fold(Totals.NONE, Totals::and);
    }

    /**
     * Returns the ids at some positions in their order, after removing some ids. The cluster sorts
     * the ids; embeddings are not moved.
     */
    List<Comparable<?>> at(long[] positions, Set<Comparable<?>> without) {
      Map<Long, Comparable<?>> byPosition =
          query.withIds(without, removed -> byPosition(positions, removed));
      List<Comparable<?>> result = new ArrayList<>();
      for (long position : positions) {
        result.add(byPosition.get(position));
      }
      if (result.contains(null) || new HashSet<>(result).size() < result.size()) {
        throw Ids.duplicateIds();
      }
      return result;
    }

    private Map<Long, Comparable<?>> byPosition(
        long[] positions, Broadcast<HashSet<Comparable<?>>> removed) {
      long[] ordered = positions.clone();
      Arrays.sort(ordered);
      Broadcast<long[]> wanted = query.context().broadcast(ordered);
      try {
        JavaRDD<Comparable<?>> ids =
            read.<Comparable<?>>flatMap(pair -> Arrays.asList(pair._1().ids()).iterator())
                .filter(id -> !removed.value().contains(id));
        Map<Long, Comparable<?>> result = new HashMap<>();
        sorted(ids)
            .zipWithIndex()
            .filter(pair -> Arrays.binarySearch(wanted.value(), pair._2()) >= 0)
            .collect()
            .forEach(pair -> result.put(pair._2(), pair._1()));
        return result;
      } finally {
        wanted.destroy();
      }
    }

    /** Sorts ids in the order of the local engine, which for text is that of code points. */
    private static JavaRDD<Comparable<?>> sorted(JavaRDD<Comparable<?>> ids) {
      return ids.<Comparable<?>, Boolean>mapToPair(id -> new Tuple2<>(id, true))
          .sortByKey(
              (Comparator<Comparable<?>> & java.io.Serializable) Ids::compare,
              true,
              Math.max(1, ids.getNumPartitions()))
          .keys();
    }

    @Override
    public void close() {
      read.unpersist();
    }
  }

  SortedIds sortedIds() {
    return new SortedIds(this, blocks(BLOCK));
  }
}
