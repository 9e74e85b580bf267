package org.alfamix.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A lock file for mutual exclusion of the processes on one machine. */
public final class ProcessLock {
  private ProcessLock() {}

  /**
   * Runs an action while no other process or thread holds the lock. If the lock file cannot be
   * written, the action runs without it.
   */
  public static synchronized void runLocked(Path file, Runnable action) {
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      action.run();
    } catch (IOException e) {
      action.run();
    }
  }
}
