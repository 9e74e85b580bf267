package org.alfamix.math;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class KernelWarmUpTest {

  @Test
  void itEndsHoweverOftenItIsAskedFor() {
    assertTimeoutPreemptively(
        Duration.ofMinutes(1),
        () -> {
          KernelWarmUp.await();
          KernelWarmUp.begin();
          KernelWarmUp.begin();
          KernelWarmUp.await();
          KernelWarmUp.await();
        });
  }
}
