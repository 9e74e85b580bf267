package org.alfamix.torch;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.alfamix.datasets.InputShape;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Device;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Forward passes over many items. The items are split into blocks, and each block is read and
 * computed by one thread. This keeps all processors busy with reading and arithmetic, and results
 * do not depend on the number of threads.
 */
final class Inference implements AutoCloseable {
  /** Approximate number of input values of a block. */
  private static final int BLOCK_VALUES = 1 << 20;

  private static final int MAX_ITEMS = 1000;
  private static final int MIN_ITEMS = 8;

  /** A clip has as many values as dozens of images, and its intermediate results have many more. */
  private static final int MIN_CLIPS = 2;

  /** Receives the result of a block; blocks arrive in any order, also concurrently. */
  @FunctionalInterface
  interface Consumer<T> {
    void accept(int from, int to, T result);
  }

  private final InputShape input;
  private final Device device;
  private final int threads;
  private final ExecutorService workers;

  Inference(InputShape input, Device device, int threads) {
    this.input = input;
    this.device = device;
    this.threads = threads;
    this.workers =
        Executors.newFixedThreadPool(
            this.threads,
            work -> {
              Thread thread = new Thread(work, "alfamix-inference");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Computes a function of all items.
   *
   * @param forward the function of a batch, computed without gradients
   */
  <T> void run(ScaledInputs items, Function<Tensor, T> forward, Consumer<T> consumer) {
    int length = items.columns();
    int minimum = input.isVideo() ? MIN_CLIPS : MIN_ITEMS;
    int block = Math.max(minimum, Math.min(MAX_ITEMS, BLOCK_VALUES / length));
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      running.add(
          workers.submit(
              () -> {
                Torch.setThreads(1);
                Reader reader = new Reader(items, Math.min(block, items.rows()) * length);
                int from;
                while ((from = next.getAndAdd(block)) < items.rows() && from >= 0) {
                  int to = Math.min(items.rows(), from + block);
                  reader.read(from, to);
                  try (PointerScope scope = new PointerScope();
                      NoGradGuard guard = new NoGradGuard()) {
                    consumer.accept(from, to, forward.apply(reader.tensor()));
                  }
                }
              }));
    }
    await(running, () -> next.set(items.rows()));
  }

  /**
   * Waits for all workers in any case, because they use memory that the caller may free. After a
   * failure or an interruption no new block is started.
   */
  private static void await(List<Future<?>> running, Runnable stop) {
    Throwable failure = null;
    boolean interrupted = false;
    for (Future<?> each : running) {
      while (true) {
        try {
          each.get();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
          stop.run();
        } catch (ExecutionException e) {
          failure = failure == null ? e.getCause() : failure;
          stop.run();
          break;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted.");
    }
    if (failure instanceof RuntimeException known) {
      throw known;
    }
    if (failure instanceof Error error) {
      throw error;
    }
  }

  /**
   * Reads blocks of items into one buffer. Bytes are transferred as bytes and converted to floats
   * on the device.
   */
  private final class Reader {
    private final ScaledInputs items;
    private final float[] floats;
    private final byte[] bytes;
    private int rows;

    Reader(ScaledInputs items, int values) {
      this.items = items;
      boolean asBytes = items.inputs().hasBytes();
      this.floats = asBytes ? null : new float[values];
      this.bytes = asBytes ? new byte[values] : null;
    }

    void read(int from, int to) {
      rows = to - from;
      if (bytes == null) {
        items.read(from, to, floats, 0);
        return;
      }
      int length = items.columns();
      for (int i = from, at = 0; i < to; i++, at += length) {
        items.inputs().readBytes(items.items()[i], bytes, at);
      }
    }

    /** Returns the block as a batch for the network; it belongs to the innermost scope. */
    Tensor tensor() {
      return bytes == null
          ? Tensors.of(floats, rows * items.columns(), device, Tensors.batchShape(input, rows))
          : Tensors.scaled(bytes, rows, input, items.scaling(), device);
    }
  }

  @Override
  public void close() {
    // All workers are idle, because run waits for them; the shutdown ends their threads.
    workers.shutdown();
  }
}
