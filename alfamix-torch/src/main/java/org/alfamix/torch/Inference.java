package org.alfamix.torch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Passes over many items. They are cut into blocks, and each block is read and computed by one
 * thread: that keeps all processors busy with reading and with arithmetic, and no result depends on
 * how many threads there are.
 */
final class Inference implements AutoCloseable {
  /** How many values of inputs a block has, about. */
  private static final int BLOCK_VALUES = 1 << 20;

  private static final int MOST_ITEMS = 1000;
  private static final int LEAST_ITEMS = 8;

  /** Takes what a block of items gave; blocks come in any order, and several at a time. */
  @FunctionalInterface
  interface Consumer {
    void accept(int from, int to, Classifier.Forward forward);
  }

  private final Classifier classifier;
  private final Device device;
  private final int threads;
  private final ExecutorService workers;

  Inference(Classifier classifier, Device device, int threads) {
    this.classifier = classifier;
    this.device = device;
    // A GPU has one queue.
    this.threads = device.is_cpu() ? threads : 1;
    this.workers =
        Executors.newFixedThreadPool(
            this.threads,
            work -> {
              Thread thread = new Thread(work, "alfamix-inference");
              thread.setDaemon(true);
              return thread;
            });
  }

  void run(ScaledInputs items, Consumer consumer) {
    int length = items.columns();
    int block = Math.max(LEAST_ITEMS, Math.min(MOST_ITEMS, BLOCK_VALUES / length));
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      running.add(
          workers.submit(
              () -> {
                Torch.threads(1);
                float[] values = new float[Math.min(block, items.rows()) * length];
                int from;
                while ((from = next.getAndAdd(block)) < items.rows()) {
                  int to = Math.min(items.rows(), from + block);
                  items.read(from, to, values, 0);
                  pass(values, from, to, consumer);
                }
              }));
    }
    try {
      for (Future<?> each : running) {
        each.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted.", e);
    } catch (ExecutionException e) {
      // What is left need not be computed; the others end after their block.
      next.set(Integer.MAX_VALUE - block * threads - block);
      awaitAll(running);
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw new IllegalStateException(e.getCause());
    }
  }

  private static void awaitAll(List<Future<?>> running) {
    for (Future<?> each : running) {
      try {
        each.get();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      } catch (ExecutionException e) {
        // The first failure is the one that is told.
      }
    }
  }

  private void pass(float[] values, int from, int to, Consumer consumer) {
    try (PointerScope scope = new PointerScope();
        NoGradGuard guard = new NoGradGuard()) {
      int count = (to - from) * classifier.input().length();
      Tensor inputs = Tensors.of(values, count, device, classifier.batchShape(to - from));
      consumer.accept(from, to, classifier.forward(inputs, false, null));
    }
  }

  @Override
  public void close() {
    workers.shutdown();
  }
}
