package org.alfamix.datasets;

import java.util.LinkedHashMap;
import java.util.Map;

/** A thread-safe LRU cache of decoded items with a memory limit. */
final class RecentBytes {
  private final Map<Integer, byte[]> items;

  /**
   * @param memory maximum number of bytes; at least one item is always kept
   * @param length number of bytes of an item
   */
  RecentBytes(long memory, int length) {
    long capacity = Math.max(1, memory / length);
    this.items =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, byte[]> eldest) {
            return size() > capacity;
          }
        };
  }

  /** Returns an item, or null if it is not in the cache. */
  synchronized byte[] get(int item) {
    return items.get(item);
  }

  synchronized void put(int item, byte[] bytes) {
    items.put(item, bytes);
  }

  synchronized int size() {
    return items.size();
  }
}
