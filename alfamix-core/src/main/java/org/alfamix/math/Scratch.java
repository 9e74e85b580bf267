package org.alfamix.math;

/**
 * Arrays that a thread uses again and again for the intermediate results of a block.
 *
 * <p>A fresh array per block would be zeroed, filled once and collected; at some hundred kilobytes
 * per block that costs as much as the work itself. An array is the thread's until it asks for the
 * next one, so it must not outlive the block it was asked for, nor be held across parallel work.
 */
public final class Scratch {
  private static final ThreadLocal<float[]> FLOATS = ThreadLocal.withInitial(() -> new float[0]);

  private Scratch() {}

  /** At least {@code size} floats with arbitrary contents. */
  public static float[] floats(int size) {
    float[] array = FLOATS.get();
    if (array.length < size) {
      array = new float[Math.max(size, Math.min(2 * array.length, 1 << 20))];
      FLOATS.set(array);
    }
    return array;
  }
}
