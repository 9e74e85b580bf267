package org.alfamix.spark;

import java.lang.ref.SoftReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * A cache of values per block of the pool, from one round of a greedy method to the next, within
 * one process. Values that are lost with an executor or for lack of memory are computed again; they
 * affect only the time.
 */
final class ProcessCache {
  private static final ConcurrentHashMap<Key, SoftReference<?>> VALUES = new ConcurrentHashMap<>();

  /**
   * The key of a block.
   *
   * @param job the id of the selection
   * @param block its number in the partition
   * @param fingerprint the fingerprint of its ids, which detects that it was read in another order
   */
  record Key(String job, int partition, int block, long fingerprint) {}

  private ProcessCache() {}

  static long fingerprint(PoolBlock block) {
    long fingerprint = block.size();
    for (Comparable<?> id : block.ids()) {
      fingerprint = 31 * fingerprint + Ids.hash(id);
    }
    return fingerprint;
  }

  /** Returns the cached value of a key; computes it if there is none. */
  @SuppressWarnings("unchecked")
  static <T> T getOrCompute(Key key, Supplier<T> compute) {
    SoftReference<?> kept = VALUES.get(key);
    Object value = kept == null ? null : kept.get();
    if (value == null) {
      VALUES.values().removeIf(reference -> reference.get() == null);
      value = compute.get();
      VALUES.put(key, new SoftReference<>(value));
    }
    return (T) value;
  }

  /** Removes all values of a selection from this process. */
  static void removeAll(String job) {
    VALUES.keySet().removeIf(key -> key.job().equals(job));
  }
}
