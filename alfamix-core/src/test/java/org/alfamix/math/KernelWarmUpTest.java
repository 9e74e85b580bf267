package org.alfamix.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class KernelWarmUpTest {

  @Test
  void warmsUpEveryKernelOnlyOnce() {
    boolean vector = Kernels.description().startsWith("vector");
    KernelWarmUp.await();
    for (int start = 0; start < 2; start++) {
      KernelWarmUp.start();
      KernelWarmUp.await();
      assertEquals(vector ? KernelWarmUp.kernels().size() : 0, KernelWarmUp.warmedUp());
      assertEquals(0, runningThreads());
    }
  }

  private static long runningThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("alfamix-warm-up") && thread.isAlive())
        .count();
  }
}
