package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class DeviceTurnsTest {
  private static final int RUNS = 8;
  private static final int STEPS = 300;

  /** A run that has the turn and wants it again at once must not get it before the others. */
  @Test
  void runsThatShareAGpuAdvanceTogether() throws InterruptedException {
    DeviceTurns turns = DeviceTurns.ofGpu(7);
    List<Integer> served = new ArrayList<>();
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      int own = run;
      Thread thread =
          new Thread(
              () -> {
                try {
                  begin.await();
                } catch (InterruptedException e) {
                  throw new IllegalStateException(e);
                }
                for (int step = 0; step < STEPS; step++) {
                  turns.take(() -> served.add(own));
                }
              });
      thread.start();
      threads.add(thread);
    }
    // Holds the device until all of them wait for it.
    turns.take(
        () -> {
          begin.countDown();
          awaitAll(threads);
          return null;
        });
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(RUNS * STEPS, served.size());
    int[] steps = new int[RUNS];
    for (int run : served.subList(0, RUNS * STEPS / 2)) {
      steps[run]++;
    }
    int ahead = Arrays.stream(steps).max().getAsInt() - Arrays.stream(steps).min().getAsInt();
    assertTrue(ahead <= STEPS / 10, "one run is " + ahead + " steps ahead of another");
  }

  private static void awaitAll(List<Thread> threads) {
    while (threads.stream().anyMatch(thread -> thread.getState() != Thread.State.WAITING)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void oneRunAtATimeHasTheGpu() throws InterruptedException {
    DeviceTurns turns = DeviceTurns.ofGpu(8);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Thread> threads = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      Thread thread =
          new Thread(
              () -> {
                for (int step = 0; step < STEPS; step++) {
                  turns.take(
                      () -> {
                        most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                        return inside.decrementAndGet();
                      });
                }
              });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(1, most.get());
  }

  @Test
  void everyGpuHasTurnsOfItsOwnAndTheProcessorNone() {
    assertSame(DeviceTurns.ofGpu(1), DeviceTurns.ofGpu(1));
    assertNotSame(DeviceTurns.ofGpu(1), DeviceTurns.ofGpu(2));
    // Within a turn of the processor another thread need not wait.
    int answer =
        DeviceTurns.PROCESSOR.take(
            () -> onAnotherThread(() -> DeviceTurns.PROCESSOR.take(() -> 42)));
    assertEquals(42, answer);
  }

  private static int onAnotherThread(Supplier<Integer> work) {
    return CompletableFuture.supplyAsync(work).join();
  }
}
