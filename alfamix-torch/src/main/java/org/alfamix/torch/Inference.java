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
 * Passes over many items. They are cut into blocks, and each block is read and computed by one
 * thread: that keeps all processors busy with reading and with arithmetic, and no result depends on
 * how many threads there are.
 */
final class Inference implements AutoCloseable {
  /** How many values of inputs a block has, about. */
  private static final int BLOCK_VALUES = 1 << 20;

  private static final int MOST_ITEMS = 1000;
  private static final int LEAST_ITEMS = 8;

  /** A clip has as many values as dozens of images, and what is computed of it many more. */
  private static final int LEAST_CLIPS = 2;

  /** Takes what a block of items gave; blocks come in any order, and several at a time. */
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
   * Passes over all items.
   *
   * @param forward what is computed of a batch, without gradients
   */
  <T> void run(ScaledInputs items, Function<Tensor, T> forward, Consumer<T> consumer) {
    int length = items.columns();
    int least = input.video() ? LEAST_CLIPS : LEAST_ITEMS;
    int block = Math.max(least, Math.min(MOST_ITEMS, BLOCK_VALUES / length));
    AtomicInteger next = new AtomicInteger();
    List<Future<?>> running = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      running.add(
          workers.submit(
              () -> {
                Torch.threads(1);
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
   * Waits for all, whatever happens: they work on memory that the caller may free. After a failure
   * or an interruption nothing new is begun.
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
   * Reads blocks of items into one buffer. What comes as bytes is moved as bytes and becomes floats
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

    /** What was read, for the network; belongs to the innermost scope. */
    Tensor tensor() {
      return bytes == null
          ? Tensors.of(floats, rows * items.columns(), device, Tensors.batchShape(input, rows))
          : Tensors.scaled(bytes, rows, input, items.scaling(), device);
    }
  }

  @Override
  public void close() {
    // Nobody is at work here: run waits for all. The threads end by themselves.
    workers.shutdown();
  }
}
