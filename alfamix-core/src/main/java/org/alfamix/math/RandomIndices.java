package org.alfamix.math;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/** Draws without replacement. */
public final class RandomIndices {
  private RandomIndices() {}

  /** {@code count} distinct numbers below {@code n} in random order: the head of a shuffle. */
  public static int[] distinct(int n, int count, RandomGenerator random) {
    if (count < 0 || count > n) {
      throw new IllegalArgumentException("Cannot draw %d of %d.".formatted(count, n));
    }
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
}
