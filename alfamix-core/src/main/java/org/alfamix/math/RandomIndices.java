package org.alfamix.math;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** Draws without replacement. */
public final class RandomIndices {
  /** One of so many numbers, or fewer, is drawn: what moves is kept by place. */
  private static final int SPARSE = 16;

  private RandomIndices() {}

  /** {@code count} distinct numbers below {@code n} in random order: the head of a shuffle. */
  public static int[] distinct(int n, int count, RandomGenerator random) {
    if (count <= n / SPARSE) {
      return LongStream.of(distinct((long) n, count, random)).mapToInt(Math::toIntExact).toArray();
    }
    if (count < 0 || count > n) {
      throw cannot(n, count);
    }
    // Much of it moves: an array is smaller than what moves by place.
    int[] all = new int[n];
    Arrays.setAll(all, i -> i);
    for (int i = 0; i < count; i++) {
      int j = i + random.nextInt(n - i);
      int swap = all[i];
      all[i] = all[j];
      all[j] = swap;
    }
    return Arrays.copyOf(all, count);
  }

  private static IllegalArgumentException cannot(long n, int count) {
    return new IllegalArgumentException("Cannot draw %d of %d.".formatted(count, n));
  }

  /** The same for any {@code n}: time and memory go with {@code count} alone. */
  public static long[] distinct(long n, int count, RandomGenerator random) {
    if (count < 0 || count > n) {
      throw cannot(n, count);
    }
    // Of the numbers that are shuffled only those are kept that have moved, by their new place.
    Map<Long, Long> moved = new HashMap<>();
    long[] drawn = new long[count];
    for (int i = 0; i < count; i++) {
      long place = i + below(n - i, random);
      Long here = moved.remove((long) i);
      long first = here == null ? i : here;
      if (place == i) {
        drawn[i] = first;
      } else {
        Long there = moved.put(place, first);
        drawn[i] = there == null ? place : there;
      }
    }
    return drawn;
  }

  private static long below(long bound, RandomGenerator random) {
    return bound <= Integer.MAX_VALUE ? random.nextInt((int) bound) : random.nextLong(bound);
  }
}
