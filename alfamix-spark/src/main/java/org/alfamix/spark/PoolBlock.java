package org.alfamix.spark;

import com.esotericsoftware.kryo.DefaultSerializer;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.alfamix.io.DataException;
import org.alfamix.math.FloatMatrix;

/**
 * A block of items of a pool, in the layout of the kernels. All values that are sent between
 * processes use Java serialization, even if Spark is configured to use Kryo, which does not support
 * records.
 */
@DefaultSerializer(JavaSerializer.class)
final class PoolBlock implements Serializable {
  private static final long serialVersionUID = 1;

  /** Estimated size of an id and of its references in lists and arrays, in bytes. */
  private static final int BESIDES = 100;

  private final Comparable<?>[] ids;
  private final float[] values;
  private final int features;

  /**
   * @param values the concatenated embeddings
   */
  PoolBlock(Comparable<?>[] ids, float[] values, int features) {
    this.ids = ids;
    this.values = values;
    this.features = features;
  }

  static PoolBlock empty(int features) {
    return new PoolBlock(new Comparable<?>[0], new float[0], features);
  }

  int size() {
    return ids.length;
  }

  Comparable<?> id(int i) {
    return ids[i];
  }

  Comparable<?>[] ids() {
    return ids;
  }

  int features() {
    return features;
  }

  /** Returns the embeddings; treat as read-only. */
  FloatMatrix rows() {
    return FloatMatrix.wrap(values, ids.length, features);
  }

  /** Estimates the size of n items on the driver, in bytes: embeddings, ids and overhead. */
  static long bytes(long items, int features) {
    return items * ((long) features * Float.BYTES + BESIDES);
  }

  PoolBlock gather(int[] at) {
    Comparable<?>[] some = new Comparable<?>[at.length];
    for (int i = 0; i < at.length; i++) {
      some[i] = ids[at[i]];
    }
    return new PoolBlock(some, rows().gather(at).array(), features);
  }

  /** Returns the items whose ids pass a test. */
  PoolBlock only(Predicate<Comparable<?>> test) {
    return gather(IntStream.range(0, size()).filter(i -> test.test(ids[i])).toArray());
  }

  /** Returns the same items in the order of their ids. */
  PoolBlock sorted() {
    return sorted(List.of(this), features);
  }

  /** A position in a list of blocks. */
  private record Place(PoolBlock block, int row) {
    Comparable<?> id() {
      return block.ids[row];
    }
  }

  /** Returns all items of some blocks in the order of their ids. */
  static PoolBlock sorted(List<PoolBlock> blocks, int features) {
    List<Place> places = new ArrayList<>();
    for (PoolBlock block : blocks) {
      IntStream.range(0, block.size()).forEach(row -> places.add(new Place(block, row)));
    }
    places.sort(Comparator.comparing(Place::id, Ids::compare));
    Comparable<?>[] ids = new Comparable<?>[places.size()];
    float[] values = new float[Math.multiplyExact(ids.length, features)];
    for (int i = 0; i < ids.length; i++) {
      Place place = places.get(i);
      ids[i] = place.id();
      System.arraycopy(place.block.values, place.row * features, values, i * features, features);
    }
    return new PoolBlock(ids, values, features);
  }

  /** Concatenates some blocks. */
  static PoolBlock joined(List<PoolBlock> blocks, int features) {
    int size = blocks.stream().mapToInt(PoolBlock::size).sum();
    Comparable<?>[] ids = new Comparable<?>[size];
    float[] values = new float[Math.multiplyExact(size, features)];
    int at = 0;
    for (PoolBlock block : blocks) {
      System.arraycopy(block.ids, 0, ids, at, block.size());
      System.arraycopy(block.values, 0, values, at * features, block.values.length);
      at += block.size();
    }
    return new PoolBlock(ids, values, features);
  }

  /** Rejects duplicate ids; the items must be in the order of their ids. */
  PoolBlock requireDistinct() {
    for (int i = 1; i < ids.length; i++) {
      if (ids[i].equals(ids[i - 1])) {
        throw new DataException("Duplicate id '%s'.".formatted(ids[i]));
      }
    }
    return this;
  }
}
