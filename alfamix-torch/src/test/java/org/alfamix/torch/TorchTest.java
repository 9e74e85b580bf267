package org.alfamix.torch;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class TorchTest {

  /**
   * libtorch initializes the number of a thread at its first query, from the last setting of any
   * thread.
   */
  @Test
  void keepsTheNumberOfThreadsPerThread() throws Exception {
    Torch.load();
    ExecutorService first = Executors.newSingleThreadExecutor();
    ExecutorService second = Executors.newSingleThreadExecutor();
    try {
      first.submit(() -> Torch.setThreads(1)).get();
      second.submit(() -> Torch.setThreads(4)).get();
      assertEquals(1, first.submit(() -> torch.get_num_threads()).get());
      assertEquals(4, second.submit(() -> torch.get_num_threads()).get());
    } finally {
      first.shutdown();
      second.shutdown();
    }
  }
}
