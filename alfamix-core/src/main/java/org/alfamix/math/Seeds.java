package org.alfamix.math;

import java.util.SplittableRandom;

/**
 * Random generators per position (an item, a step, a block). Their numbers do not depend on the
 * order in which positions are visited and so are the same on any number of threads.
 */
public final class Seeds {
  private Seeds() {}

  /**
   * Maps neighbouring numbers to distant longs (the finalizer of MurmurHash3). Without it,
   * generators of neighbouring positions would return the same sequence, one step apart.
   */
  public static long scatter(long x) {
    long z = (x ^ (x >>> 33)) * 0xff51afd7ed558ccdL;
    z = (z ^ (z >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return z ^ (z >>> 33);
  }

  /** Returns the generator of a position, which has two coordinates, for a seed. */
  public static SplittableRandom at(long seed, int first, int second) {
    return new SplittableRandom(
        scatter(seed ^ scatter((long) first << 32 | (second & 0xffffffffL))));
  }
}
