package org.alfamix.datasets;

import java.util.LinkedHashMap;
import java.util.Map;

/** The decoded items that were asked for last, within a bound of memory. Safe for all threads. */
final class RecentBytes {
  private final Map<Integer, byte[]> items;

  /**
   * @param memory number of bytes to keep at most, but always one item
   * @param length bytes of an item
   */
  RecentBytes(long memory, int length) {
    long most = Math.max(1, memory / length);
    this.items =
        new LinkedHashMap<>(16, 0.75f, true) {
          private static final long serialVersionUID = 1;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Integer, byte[]> eldest) {
            return size() > most;
          }
        };
  }

  /** Returns an item, or null. */
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
