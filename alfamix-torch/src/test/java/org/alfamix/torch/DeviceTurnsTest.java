package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class DeviceTurnsTest {
  private static final int RUNS = 8;
  private static final int STEPS = 300;

  /** A run whose turn ends while others wait must not get the next turn. */
  @Test
  void givesNoRunTwoTurnsWhileOthersWait() throws InterruptedException {
    DeviceTurns turns = DeviceTurns.ofGpu(7);
    List<Turn> taken = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int run = 0; run < RUNS; run++) {
      int own = run;
      Thread thread =
          new Thread(
              () -> {
                for (int step = 0; step < STEPS; step++) {
                  turns.take(() -> taken.add(new Turn(own, turns.waiting())));
                }
              });
      threads.add(thread);
    }
    // Holds the device until all runs wait for it.
    turns.take(
        () -> {
          threads.forEach(Thread::start);
          while (turns.waiting() < RUNS) {
            Thread.onSpinWait();
          }
          return null;
        });
    for (Thread thread : threads) {
      thread.join();
    }
    assertEquals(RUNS * STEPS, taken.size());
    for (int t = 1; t < taken.size(); t++) {
      boolean again = taken.get(t).run() == taken.get(t - 1).run();
      assertFalse(again && taken.get(t - 1).waiting() > 0, "turn " + t);
    }
  }

  /**
   * A turn at the GPU.
   *
   * @param waiting number of runs that waited at its end
   */
  private record Turn(int run, int waiting) {}

  @Test
  void admitsOneRunAtATime() throws InterruptedException {
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
  void keepsSeparateTurnsForEachGpuAndNoneForTheCpu() {
    assertSame(DeviceTurns.ofGpu(1), DeviceTurns.ofGpu(1));
    assertNotSame(DeviceTurns.ofGpu(1), DeviceTurns.ofGpu(2));
    // During a turn on the CPU another thread does not wait.
    int answer = DeviceTurns.CPU.take(() -> onAnotherThread(() -> DeviceTurns.CPU.take(() -> 42)));
    assertEquals(42, answer);
  }

  private static int onAnotherThread(Supplier<Integer> work) {
    return CompletableFuture.supplyAsync(work).join();
  }
}
