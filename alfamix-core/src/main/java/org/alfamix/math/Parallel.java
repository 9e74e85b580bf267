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
 * <p>The caller sets the size of the blocks, independently of the number of threads, and every
 * block writes to separate memory. Results therefore do not depend on the number of threads. Only
 * sums <em>across</em> blocks need care: callers compute them afterwards, in block order.
 *
 * <p>Work inside {@link #with} uses the given number of threads. All other work shares a pool with
 * one thread per processor (or {@code -Dalfamix.threads=N}).
 */
public final class Parallel {

  /** A task for the indices {@code from} (inclusive) to {@code to} (exclusive). */
  @FunctionalInterface
  public interface Block {
    void run(int from, int to);
  }

  private static final class Shared {
    static final ForkJoinPool POOL = new ForkJoinPool(defaultThreads());
  }

  /** Whether this thread must not use others, see {@link #sequentially}. */
  private static final ThreadLocal<Boolean> SEQUENTIAL = ThreadLocal.withInitial(() -> false);

  private Parallel() {}

  private static int defaultThreads() {
    return Math.max(
        1, Integer.getInteger("alfamix.threads", Runtime.getRuntime().availableProcessors()));
  }

  /** Returns the number of threads that a call from this thread would use. */
  public static int threads() {
    if (SEQUENTIAL.get()) {
      return 1;
    }
    ForkJoinPool pool = ForkJoinTask.getPool();
    return pool == null ? defaultThreads() : pool.getParallelism();
  }

  /** Computes {@code work} with exactly this number of threads for all nested parallel work. */
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
   * Computes {@code work} on the calling thread only. For callers that already run on all
   * processors, such as the tasks of Spark: more threads would only compete with each other.
   */
  public static <T> T sequentially(Supplier<T> work) {
    boolean before = SEQUENTIAL.get();
    SEQUENTIAL.set(true);
    try {
      return work.get();
    } finally {
      SEQUENTIAL.set(before);
    }
  }

  /**
   * Computes {@code work} on a thread of the pool. Submitting a task from outside the pool costs
   * more than from inside, so computations of many small parallel steps enter the pool once, here.
   */
  public static <T> T inPool(Supplier<T> work) {
    return SEQUENTIAL.get() || ForkJoinTask.inForkJoinPool()
        ? work.get()
        : join(Shared.POOL.submit(work::get));
  }

  /**
   * Waits for a result. {@link ForkJoinTask} reports a failure on another thread as a copy, with
   * the original as its cause and the class name of the original in its message; this method throws
   * the original.
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
   * Runs {@code block} on all blocks of {@code size} indices of {@code 0..n} and waits for them.
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
    // An idle worker takes the next block, so that no thread waits for a slow one. After a failure
    // the other workers finish their current block before the exception reaches the caller.
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
