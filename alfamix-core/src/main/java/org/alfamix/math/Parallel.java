package org.alfamix.math;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Runs independent blocks of work on several threads.
 *
 * <p>Blocks have a size that the caller fixes, never one derived from the number of threads, and
 * they write to places of their own. So the result of a computation does not depend on how many
 * threads took part; only sums <em>across</em> blocks need care, and those are taken in block order
 * afterwards.
 *
 * <p>Work started inside {@link #with} uses that number of threads; otherwise a pool with one
 * thread per processor (or {@code -Dalfamix.threads=N}) is shared by the whole process.
 */
public final class Parallel {

  /** Work on the indices {@code from} (inclusive) to {@code to} (exclusive). */
  @FunctionalInterface
  public interface Block {
    void run(int from, int to);
  }

  private static final class Shared {
    static final ForkJoinPool POOL = new ForkJoinPool(defaultThreads());
  }

  /** Set while this thread works alone. */
  private static final ThreadLocal<Boolean> ALONE = ThreadLocal.withInitial(() -> false);

  private Parallel() {}

  private static int defaultThreads() {
    return Math.max(
        1, Integer.getInteger("alfamix.threads", Runtime.getRuntime().availableProcessors()));
  }

  /** How many threads a call from here would use. */
  public static int threads() {
    if (ALONE.get()) {
      return 1;
    }
    ForkJoinPool pool = ForkJoinTask.getPool();
    return pool == null ? defaultThreads() : pool.getParallelism();
  }

  /** Computes {@code work} with exactly this many threads for everything parallel inside it. */
  public static <T> T with(int threads, Supplier<T> work) {
    if (threads < 1) {
      throw new IllegalArgumentException("threads must be at least 1, got " + threads + ".");
    }
    ForkJoinPool pool = new ForkJoinPool(threads);
    try {
      return join(pool.submit(work::get));
    } finally {
      pool.shutdown();
    }
  }

  /**
   * Computes {@code work} on this very thread, for whoever has divided the processors already: many
   * at a time do not get in each other's way.
   */
  public static <T> T alone(Supplier<T> work) {
    boolean before = ALONE.get();
    ALONE.set(true);
    try {
      return work.get();
    } finally {
      ALONE.set(before);
    }
  }

  /**
   * Computes {@code work} on a thread of the pool. Handing over to the pool costs more than handing
   * over inside it, so whoever takes many small parallel steps enters it once, here.
   */
  public static <T> T inPool(Supplier<T> work) {
    return ALONE.get() || ForkJoinTask.inForkJoinPool()
        ? work.get()
        : join(Shared.POOL.submit(work::get));
  }

  /**
   * Waits for a result. A failure on another thread arrives as a copy that has the original as its
   * cause and its class name in its message; whoever called wants the original.
   */
  private static <T> T join(ForkJoinTask<T> task) {
    try {
      return task.join();
    } catch (RuntimeException | Error failure) {
      Throwable original = failure;
      while (original.getCause() != null
          && original.getCause().getClass() == original.getClass()
          && original.getCause().toString().equals(original.getMessage())) {
        original = original.getCause();
      }
      rethrow(original);
      throw new AssertionError(original);
    }
  }

  /**
   * Covers {@code 0..n} with blocks of {@code size} and runs them all; returns when they are done.
   */
  public static void forBlocks(int n, int size, Block block) {
    if (size < 1) {
      throw new IllegalArgumentException("Block size must be at least 1, got " + size + ".");
    }
    int blocks = (int) (((long) n + size - 1) / size);
    int tasks = Math.min(threads(), blocks);
    if (tasks <= 1) {
      for (int from = 0; from < n; from += size) {
        block.run(from, Math.min(n - from, size) + from);
      }
      return;
    }
    // The workers take the next block as they get free: no thread waits for a slow neighbour. Once
    // one fails, the others end with their block, and only then does the caller hear of it.
    AtomicInteger next = new AtomicInteger();
    AtomicReference<Throwable> failure = new AtomicReference<>();
    Runnable worker =
        () -> {
          for (int b = next.getAndIncrement(); b < blocks; b = next.getAndIncrement()) {
            if (failure.get() != null) {
              return;
            }
            try {
              int from = b * size;
              block.run(from, Math.min(n - from, size) + from);
            } catch (RuntimeException | Error e) {
              failure.compareAndSet(null, e);
            }
          }
        };
    List<ForkJoinTask<?>> workers = new ArrayList<>(tasks);
    for (int t = 0; t < tasks; t++) {
      workers.add(ForkJoinTask.adapt(worker));
    }
    inPool(() -> ForkJoinTask.invokeAll(workers));
    rethrow(failure.get());
  }

  private static void rethrow(Throwable failure) {
    if (failure instanceof RuntimeException exception) {
      throw exception;
    }
    if (failure instanceof Error error) {
      throw error;
    }
  }
}
