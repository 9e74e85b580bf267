package org.alfamix.spark;

import java.lang.ref.SoftReference;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * What a process has worked out about blocks of the pool, from one round of a greedy method to the
 * next. Whatever is lost, with an executor or for want of memory, is worked out again: only time
 * depends on it.
 */
final class ProcessMemory {
  private static final ConcurrentHashMap<Key, SoftReference<?>> KEPT = new ConcurrentHashMap<>();

  /**
   * What is remembered is about one block.
   *
   * @param job the selection
   * @param block its number in the partition
   * @param fingerprint of its ids: were it read in another order, nothing would fit
   */
  record Key(String job, int partition, int block, long fingerprint) {}

  private ProcessMemory() {}

  static long fingerprint(PoolBlock block) {
    long fingerprint = block.size();
    for (Comparable<?> id : block.ids()) {
      fingerprint = 31 * fingerprint + Ids.hash(id);
    }
    return fingerprint;
  }

  /** What is kept under a key; made where there is nothing. */
  @SuppressWarnings("unchecked")
  static <T> T recall(Key key, Supplier<T> make) {
    SoftReference<?> kept = KEPT.get(key);
    Object value = kept == null ? null : kept.get();
    if (value == null) {
      KEPT.values().removeIf(reference -> reference.get() == null);
      value = make.get();
      KEPT.put(key, new SoftReference<>(value));
    }
    return (T) value;
  }

  /** Forgets a selection, in this process. */
  static void forget(String job) {
    KEPT.keySet().removeIf(key -> key.job().equals(job));
  }
}
