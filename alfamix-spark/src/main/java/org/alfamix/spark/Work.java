package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.util.ArrayList;
import java.util.Arrays;
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
 * What every method works with.
 *
 * @param table the pool
 * @param skipBad whether rows that are no items are left out
 * @param driverBytes how many bytes of embeddings may come to the driver
 */
record Work(
    JavaSparkContext context,
    SharedModel model,
    PoolTable table,
    int budget,
    boolean skipBad,
    long driverBytes) {
  /** Rows of a block that is looked at once: with its products it stays in the cache. */
  static final int BLOCK = 4096;

  /** The pool in blocks of at most so many rows. */
  JavaRDD<ReadBlock> blocks(int size) {
    return table.blocks(model.features(), size);
  }

  /** Whether so many embeddings may come to the driver. */
  boolean fits(long items) {
    return PoolBlock.bytes(items, model.features()) <= driverBytes;
  }

  /** A method's way to go over the pool. */
  @FunctionalInterface
  interface Shared<T> {
    T run(Broadcast<SharedModel> model);
  }

  /** Brings the model to all executors for as long as something runs. */
  <T> T withModel(Shared<T> work) {
    Broadcast<SharedModel> shared = context.broadcast(model);
    try {
      return work.run(shared);
    } finally {
      shared.destroy();
    }
  }

  /** The items of these ids, in the order of ids; takes a pass over the pool. */
  PoolBlock fetch(Set<Comparable<?>> ids) {
    Broadcast<HashSet<Comparable<?>>> wanted = context.broadcast(new HashSet<>(ids));
    try {
      List<PoolBlock> found =
          blocks(BLOCK)
              .map(block -> block.items().only(wanted.value()::contains))
              .filter(block -> block.size() > 0)
              .collect();
      return PoolBlock.sorted(found, model.features()).requireDistinct();
    } finally {
      wanted.destroy();
    }
  }

  /** The ids of a pool, kept while something is drawn from them. */
  static final class Places implements AutoCloseable {
    private final JavaRDD<Tuple2<ReadIds, Totals>> read;

    @DefaultSerializer(JavaSerializer.class)
    private record ReadIds(Comparable<?>[] ids) implements java.io.Serializable {}

    private Places(JavaRDD<ReadBlock> blocks) {
      this.read =
          blocks
              .map(block -> new Tuple2<>(new ReadIds(block.items().ids()), Totals.of(block, 0)))
              .persist(StorageLevel.MEMORY_AND_DISK());
    }

    Totals totals() {
      return read.map(Tuple2::_2).fold(Totals.NONE, Totals::and);
    }

    /**
     * The ids at some places in their order, where some ids have no place. Ids are sorted by the
     * whole cluster; embeddings stay where they are.
     */
    List<Comparable<?>> at(long[] places, Set<Comparable<?>> without) {
      Map<Long, Comparable<?>> byPlace = new HashMap<>();
      HashSet<Long> wanted = new HashSet<>();
      Arrays.stream(places).forEach(wanted::add);
      HashSet<Comparable<?>> left = new HashSet<>(without);
      JavaRDD<Comparable<?>> ids = read.flatMap(pair -> Arrays.asList(pair._1().ids()).iterator());
      sorted(ids.filter(id -> !left.contains(id)))
          .zipWithIndex()
          .filter(pair -> wanted.contains(pair._2()))
          .collect()
          .forEach(pair -> byPlace.put(pair._2(), pair._1()));
      List<Comparable<?>> result = new ArrayList<>();
      for (long place : places) {
        result.add(byPlace.get(place));
      }
      if (result.contains(null) || new HashSet<>(result).size() < result.size()) {
        throw Ids.twice();
      }
      return result;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private static JavaRDD<Comparable<?>> sorted(JavaRDD<Comparable<?>> ids) {
      return ids.sortBy(id -> (Comparable) id, true, Math.max(1, ids.getNumPartitions()));
    }

    @Override
    public void close() {
      read.unpersist();
    }
  }

  Places places() {
    return new Places(blocks(BLOCK));
  }
}
