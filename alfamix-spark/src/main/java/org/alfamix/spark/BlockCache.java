package org.alfamix.spark;

import java.lang.ref.SoftReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A cache of values per block of the pool, from one round of a greedy method to the next, within
 * one process. It belongs to the model that is broadcast to all executors: when the broadcast is
 * destroyed, all executors release the cache. Values that are lost with an executor or for lack of
 * memory are computed again; they affect only the time.
 */
final class BlockCache {
  private final ConcurrentHashMap<Key, SoftReference<?>> values = new ConcurrentHashMap<>();

  /**
   * The key of a block.
   *
   * @param block its number in the partition
   * @param fingerprint the fingerprint of its ids, which detects that it was read in another order
   */
  record Key(int partition, int block, long fingerprint) {
    static Key of(int partition, int block, PoolBlock items) {
      long fingerprint = items.size();
      for (Comparable<?> id : items.ids()) {
        fingerprint = 31 * fingerprint + Ids.hash(id);
      }
      return new Key(partition, block, fingerprint);
    }
  }

  /** Returns the cached value of a key; computes it if there is none. */
  @SuppressWarnings("unchecked")
  <T> T getOrCompute(Key key, Supplier<T> compute) {
    SoftReference<?> kept = values.get(key);
    Object value = kept == null ? null : kept.get();
    if (value == null) {
      values.values().removeIf(reference -> reference.get() == null);
      value = compute.get();
      values.put(key, new SoftReference<>(value));
    }
    return (T) value;
  }
}
