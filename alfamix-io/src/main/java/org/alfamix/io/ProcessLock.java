package org.alfamix.io;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Lets one process at a time do something that others on the same machine may do, too. */
public final class ProcessLock {
  private ProcessLock() {}

  /**
   * Runs some work while no other process holds the lock. Where the lock file cannot be written,
   * the work is done without it. Threads of one process take turns, too.
   */
  public static synchronized void holding(Path file, Runnable work) {
    try (FileChannel channel =
            FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      work.run();
    } catch (IOException e) {
      work.run();
    }
  }
}
