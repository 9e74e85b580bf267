package org.alfamix.math;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class KernelWarmUpTest {

  @Test
  void warmsUpEveryKernelOnceHoweverOftenItIsAskedFor() {
    boolean vector = Kernels.description().startsWith("vector");
    KernelWarmUp.await();
    for (int time = 0; time < 2; time++) {
      KernelWarmUp.begin();
      KernelWarmUp.await();
      assertEquals(vector ? KernelWarmUp.kernels().size() : 0, KernelWarmUp.warmed());
      assertEquals(0, running());
    }
  }

  private static long running() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("alfamix-warm-up") && thread.isAlive())
        .count();
  }
}
