package org.alfamix.math;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelTest {

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 9, 10, 11, 1003})
  void visitsEveryIndexOnce(int n) {
    AtomicIntegerArray visits = new AtomicIntegerArray(n);
    Parallel.forBlocks(
        n,
        10,
        (from, to) -> {
          assertEquals(0, from % 10);
          for (int i = from; i < to; i++) {
            visits.incrementAndGet(i);
          }
        });
    for (int i = 0; i < n; i++) {
      assertEquals(1, visits.get(i));
    }
  }

  @Test
  void usesAtMostTheRequestedThreadsEvenIfNested() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    Parallel.with(
        2,
        () -> {
          assertEquals(2, Parallel.threads());
          Parallel.forBlocks(
              50,
              1,
              (i, end) ->
                  Parallel.forBlocks(50, 1, (from, to) -> threads.add(Thread.currentThread())));
          return null;
        });
    assertTrue(threads.size() <= 2, threads.toString());
  }

  @Test
  void rethrowsTheFailureOfABlock() {
    var failure =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                Parallel.forBlocks(
                    100,
                    1,
                    (from, to) -> {
                      if (from == 37) {
                        throw new IllegalArgumentException("block 37");
                      }
                    }));
    assertEquals("block 37", failure.getMessage());
  }

  @Test
  void rejectsZeroThreads() {
    assertThrows(IllegalArgumentException.class, () -> Parallel.with(0, () -> 1));
  }

  @Test
  void noBlockIsRunningAfterAFailureIsRethrown() throws InterruptedException {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger started = new AtomicInteger();
    assertThrows(
        IllegalStateException.class,
        () ->
            Parallel.with(
                4,
                () -> {
                  Parallel.forBlocks(
                      1000,
                      1,
                      (from, to) -> {
                        running.incrementAndGet();
                        started.incrementAndGet();
                        try {
                          for (long spin = System.nanoTime();
                              System.nanoTime() - spin < 200_000; ) {
                            Thread.onSpinWait();
                          }
                          if (from == 2) {
                            throw new IllegalStateException("two");
                          }
                        } finally {
                          running.decrementAndGet();
                        }
                      });
                  return null;
                }));
    assertEquals(0, running.get());
    assertTrue(started.get() < 1000, started + " blocks were started");
  }
}
