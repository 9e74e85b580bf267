package org.alfamix.math;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;

/** Random sampling without replacement. */
public final class RandomIndices {
  /**
   * If at most one in this many numbers is sampled, a map of the moved numbers replaces the array.
   */
  private static final int SPARSE = 16;

  private RandomIndices() {}

  /**
   * Returns {@code count} distinct numbers below {@code n} in random order: the start of a shuffle.
   */
  public static int[] distinct(int n, int count, RandomGenerator random) {
    if (count <= n / SPARSE) {
      return LongStream.of(distinct((long) n, count, random)).mapToInt(Math::toIntExact).toArray();
    }
    if (count < 0 || count > n) {
      throw invalidCount(n, count);
    }
    // Many numbers move: an array is smaller than a map of the moved ones.
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

  private static IllegalArgumentException invalidCount(long n, int count) {
    return new IllegalArgumentException(
        "Cannot sample %d of %d numbers without replacement.".formatted(count, n));
  }

  /**
   * Returns {@code count} distinct numbers below {@code n} in random order, for any {@code n}: time
   * and memory depend only on {@code count}.
   */
  public static long[] distinct(long n, int count, RandomGenerator random) {
    if (count < 0 || count > n) {
      throw invalidCount(n, count);
    }
    // The numbers that the shuffle has moved, by their new position; all others are in place.
    Map<Long, Long> moved = new HashMap<>();
    long[] sampled = new long[count];
    for (int i = 0; i < count; i++) {
      long position = i + nextLong(n - i, random);
      Long here = moved.remove((long) i);
      long first = here == null ? i : here;
      if (position == i) {
        sampled[i] = first;
      } else {
        Long there = moved.put(position, first);
        sampled[i] = there == null ? position : there;
      }
    }
    return sampled;
  }

  private static long nextLong(long bound, RandomGenerator random) {
    return bound <= Integer.MAX_VALUE ? random.nextInt((int) bound) : random.nextLong(bound);
  }
}
