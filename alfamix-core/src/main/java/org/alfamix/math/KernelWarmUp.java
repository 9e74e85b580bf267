package org.alfamix.math;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Triggers the compilation of the vector kernels before they are needed.
 *
 * <p>In interpreted code, every vector is an object: before its compilation a kernel is a thousand
 * times slower than after. A command that runs for a second therefore calls the kernels on tiny
 * arrays while it reads its input. The warm-up takes every branch, because the compiler omits code
 * that has never run.
 *
 * <p>Long-lived programs benefit, too. The launcher's flags compile kernels after few calls, and
 * the first callers of a kernel determine the quality of the compiled code: {@code gcnal} took 2.5
 * times as long in a process that had run other methods before, because the compiled {@code axpy}
 * allocated objects for its vectors. After a warm-up this does not happen.
 */
public final class KernelWarmUp {
  /** Calls per kernel: more than the compilation threshold that the launcher sets. */
  private static final int CALLS = 120;

  /** Array length that covers the unrolled part of each loop, its remainder and its tail. */
  private static final int LENGTH = 85;

  /**
   * Row length for the block product. It is short, because a long loop would be compiled while it
   * runs (on-stack replacement) and then again as a whole method.
   */
  private static final int COLUMNS = 8;

  private static final int ROWS = 8;

  private static final List<Thread> THREADS = new ArrayList<>();

  /** Number of kernels whose warm-up is complete. */
  private static final AtomicInteger WARMED_UP = new AtomicInteger();

  private KernelWarmUp() {}

  /** Starts the warm-up in the background, once per process. Does nothing if kernels are scalar. */
  public static synchronized void start() {
    if (!THREADS.isEmpty()) {
      return;
    }
    AtomicInteger next = new AtomicInteger();
    // Two threads keep the compiler busy: while one kernel is compiled, the other runs interpreted.
    for (int t = 0; t < 2; t++) {
      Thread thread = new Thread(() -> warmUp(next), "alfamix-warm-up");
      thread.setDaemon(true);
      // If the requested kernels are unavailable, their first use reports it.
      thread.setUncaughtExceptionHandler((failed, failure) -> {});
      thread.start();
      THREADS.add(thread);
    }
  }

  /** Waits until the warm-up is complete; returns immediately if it was not started. */
  public static void await() {
    List<Thread> started;
    synchronized (KernelWarmUp.class) {
      started = List.copyOf(THREADS);
    }
    try {
      for (Thread thread : started) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void warmUp(AtomicInteger next) {
    if (!Kernels.description().startsWith("vector")) {
      return;
    }
    List<Runnable> kernels = kernels();
    for (int k = next.getAndIncrement(); k < kernels.size(); k = next.getAndIncrement()) {
      for (int call = 0; call < CALLS; call++) {
        kernels.get(k).run();
      }
      WARMED_UP.incrementAndGet();
    }
  }

  /** Returns the number of kernels whose warm-up is complete. */
  static int warmedUp() {
    return WARMED_UP.get();
  }

  /** Returns a warm-up call for every kernel, in descending order of compilation time. */
  static List<Runnable> kernels() {
    float[] a = new float[LENGTH];
    float[] b = new float[LENGTH];
    for (int i = 0; i < LENGTH; i++) {
      a[i] = i % 7;
      b[i] = i % 5;
    }
    float[] least = new float[LENGTH];
    float[] negative = new float[LENGTH];
    int[] positions = new int[LENGTH];
    return List.of(
        products(ROWS, 2 * Kernels.pack(FloatMatrix.zeros(1, 1)).width()),
        products(ROWS, 1),
        () -> {
          for (int i = 0; i < LENGTH; i++) {
            negative[i] = -i;
          }
          Kernels.softmax(negative, 0, LENGTH);
        },
        () -> {
          // First all values are lower, then none, then some.
          Arrays.fill(least, 10);
          Kernels.lowerInto(a, 0, 1, 0, least, positions, 1, 0, LENGTH);
          Kernels.lowerInto(a, 0, 1, 0, least, positions, 2, 0, LENGTH);
          Kernels.lowerInto(b, 0, 1, 0, least, positions, 3, 0, LENGTH);
        },
        () -> Kernels.dot(a, 0, b, 0, LENGTH),
        () -> Kernels.squaredDistance(a, 0, b, 0, LENGTH),
        () -> Kernels.axpy(0, a, 0, least, 0, LENGTH),
        () -> Kernels.rectify(a, 0, negative, 0, b, 0, least, 0, LENGTH),
        () -> Kernels.gate(1, a, 0, negative, 0, least, 0, LENGTH),
        () -> Kernels.entropyRows(FloatMatrix.wrap(a, 1, LENGTH), new double[1], 0),
        () -> {
          Kernels.equalPositions(a, 0, b, 0, LENGTH, positions);
          Kernels.equalPositions(a, 0, negative, 0, LENGTH, positions);
        },
        () -> Kernels.cappedSum(a, 0, -2, 1, b, 0, LENGTH),
        () -> {
          Kernels.argmax(a, 0, LENGTH);
          Kernels.argmax(a, 0, LENGTH / 8);
        },
        () -> Kernels.allFinite(a, 0, LENGTH));
  }

  private static Runnable products(int rows, int packedRows) {
    FloatMatrix left = FloatMatrix.zeros(rows, COLUMNS);
    PackedRows packed = Kernels.pack(FloatMatrix.zeros(packedRows, COLUMNS));
    float[] out = new float[rows * packed.stride()];
    return () -> Kernels.dots(left, packed, out);
  }
}
