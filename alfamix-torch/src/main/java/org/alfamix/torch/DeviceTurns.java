package org.alfamix.torch;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.bytedeco.pytorch.Device;

/**
 * Lets runs that share a GPU take turns at their backward passes, first come, first served.
 *
 * <p>libtorch computes the backward passes of a whole process on one thread for each GPU. Its queue
 * prefers the operations that were recorded last, counted by each calling thread from zero, so a
 * run that has made more steps is always served before a run that has made fewer: with ten runs,
 * some took ten times as long as others. One backward pass at a time leaves that queue no choice,
 * and costs nothing, since it has only one thread to serve with.
 */
final class DeviceTurns {
  private static final Map<Integer, DeviceTurns> BY_GPU = new ConcurrentHashMap<>();

  /** On the processor every thread computes its own backward pass. */
  static final DeviceTurns PROCESSOR = new DeviceTurns(null);

  private final ReentrantLock lock;

  private DeviceTurns(ReentrantLock lock) {
    this.lock = lock;
  }

  /** The turns of a device. */
  static DeviceTurns of(Device device) {
    return device.is_cuda() ? ofGpu(device.index()) : PROCESSOR;
  }

  static DeviceTurns ofGpu(int number) {
    return BY_GPU.computeIfAbsent(number, gpu -> new DeviceTurns(new ReentrantLock(true)));
  }

  /** Number of threads that wait for their turn. */
  int waiting() {
    return lock.getQueueLength();
  }

  /** Waits for the turn of this thread where the device has turns, and does the work. */
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
