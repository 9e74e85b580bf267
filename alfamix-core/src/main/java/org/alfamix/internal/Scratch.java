package org.alfamix.internal;

/**
 * Reusable arrays, one per thread, for the intermediate results of a block.
 *
 * <p>A new array per block would be zeroed, filled once and garbage-collected; at a few hundred
 * kilobytes per block that costs as much as the computation. The next request of a thread reuses
 * its array, so an array must not be used after its block, nor across parallel work.
 */
public final class Scratch {
  private static final ThreadLocal<float[]> FLOATS = ThreadLocal.withInitial(() -> new float[0]);

  private Scratch() {}

  /** Returns an array of at least {@code size} floats with arbitrary contents. */
  public static float[] floats(int size) {
    float[] array = FLOATS.get();
    if (array.length < size) {
      array = new float[Math.max(size, Math.min(2 * array.length, 1 << 20))];
      FLOATS.set(array);
    }
    return array;
  }
}
