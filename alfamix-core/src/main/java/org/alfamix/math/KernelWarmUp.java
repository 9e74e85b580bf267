package org.alfamix.math;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Gets the vector kernels compiled before they are needed.
 *
 * <p>Vectors are objects to an interpreter: until the compiler has dealt with it, a kernel is a
 * thousand times slower than after. A command that lives for a second therefore lets the kernels
 * work on next to nothing while it reads its input. Every branch is taken, since code that was
 * never seen to run is left out by the compiler.
 *
 * <p>Long-lived programs gain, too. The launcher has kernels compiled after few calls, and what the
 * first callers do with one decides how well that goes: {@code gcnal} took 2.5 times as long in a
 * process in which other methods had run before, with {@code axpy} seen to make objects of its
 * vectors, and does not where kernels were warmed up first.
 */
public final class KernelWarmUp {
  /** More than the compiler waits for with the launcher's flags. */
  private static final int CALLS = 120;

  /** Long enough for the unrolled part of each loop, its remainder and its tail. */
  private static final int LENGTH = 85;

  /**
   * Short rows for the block product: a long loop would be compiled while it runs, and then once
   * more as a whole.
   */
  private static final int COLUMNS = 8;

  private static final int ROWS = 8;

  private static final List<Thread> THREADS = new ArrayList<>();

  /** Number of kernels that are warmed up. */
  private static final AtomicInteger WARMED = new AtomicInteger();

  private KernelWarmUp() {}

  /** Begins in the background, once per process; nothing happens where kernels are scalar. */
  public static synchronized void begin() {
    if (!THREADS.isEmpty()) {
      return;
    }
    AtomicInteger next = new AtomicInteger();
    // Two threads keep one compiler busy while the other one's kernel still runs interpreted.
    for (int t = 0; t < 2; t++) {
      Thread thread = new Thread(() -> work(next), "alfamix-warm-up");
      thread.setDaemon(true);
      // Whoever asks for kernels that cannot be had hears of it when using them.
      thread.setUncaughtExceptionHandler((failed, failure) -> {});
      thread.start();
      THREADS.add(thread);
    }
  }

  /** Waits until it is done; returns at once where it never began. */
  public static void await() {
    List<Thread> begun;
    synchronized (KernelWarmUp.class) {
      begun = List.copyOf(THREADS);
    }
    try {
      for (Thread thread : begun) {
        thread.join();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void work(AtomicInteger next) {
    if (!Kernels.description().startsWith("vector")) {
      return;
    }
    List<Runnable> kernels = kernels();
    for (int k = next.getAndIncrement(); k < kernels.size(); k = next.getAndIncrement()) {
      for (int call = 0; call < CALLS; call++) {
        kernels.get(k).run();
      }
      WARMED.incrementAndGet();
    }
  }

  /** Returns how many kernels are warmed up by now. */
  static int warmed() {
    return WARMED.get();
  }

  /** The dearest to compile first. */
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
          // Now everything is lower, now nothing, now some of it.
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
