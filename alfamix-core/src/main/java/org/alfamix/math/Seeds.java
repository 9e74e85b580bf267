package org.alfamix.math;

import java.util.SplittableRandom;

/**
 * Random numbers that belong to a place (an item, a step, a block) and not to the order in which
 * places are visited, so that they are the same on any number of threads.
 */
public final class Seeds {
  private Seeds() {}

  /**
   * Scatters neighbouring numbers over all longs (the finaliser of MurmurHash3). Without it the
   * generators of neighbouring places would walk the same sequence, one step apart.
   */
  public static long scatter(long x) {
    long z = (x ^ (x >>> 33)) * 0xff51afd7ed558ccdL;
    z = (z ^ (z >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return z ^ (z >>> 33);
  }

  /** The generator of one place under a seed; a place has two coordinates. */
  public static SplittableRandom at(long seed, int first, int second) {
    return new SplittableRandom(
        scatter(seed ^ scatter((long) first << 32 | (second & 0xffffffffL))));
  }
}
