package org.alfamix.torch;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Device;

/**
 * Serializes the backward passes of runs that share a GPU, in the order of their requests.
 *
 * <p>libtorch computes the backward passes of a process on one thread per GPU. Its queue prefers
 * the operations that were recorded last, counted from zero by each calling thread, so a run with
 * more steps is always served before a run with fewer: with ten runs, some took ten times as long
 * as others. With one backward pass at a time, the queue has no choice. This costs nothing, because
 * the queue has only one thread anyway.
 */
final class DeviceTurns {
  private static final Map<Integer, DeviceTurns> BY_GPU = new ConcurrentHashMap<>();

  /** No turns: on the CPU, every thread computes its own backward pass. */
  static final DeviceTurns CPU = new DeviceTurns(null);

  private final ReentrantLock lock;

  private DeviceTurns(ReentrantLock lock) {
    this.lock = lock;
  }

  /** Returns the turns of a device. */
  static DeviceTurns of(Device device) {
    return device.is_cuda() ? ofGpu(device.index()) : CPU;
  }

  static DeviceTurns ofGpu(int number) {
    return BY_GPU.computeIfAbsent(number, gpu -> new DeviceTurns(new ReentrantLock(true)));
  }

  /** Returns the number of threads that wait for their turn. */
  int waiting() {
    return lock.getQueueLength();
  }

  /** Waits for the turn of this thread, if the device has turns, and does the work. */
  <T> T take(Supplier<T> work) {
    if (lock == null) {
      return work.get();
    }
    lock.lock();
    try {
      return work.get();
    } finally {
      lock.unlock();
    }
  }
}
