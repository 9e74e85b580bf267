package org.alfamix.cli;

import java.util.Locale;
import java.util.function.Supplier;
import org.alfamix.command.ProgressLine;

/**
 * Reports the current stage on standard error if that is a terminal and the work takes more than
 * two seconds.
 */
final class Stages {
  private static final long DELAY_MILLIS = 2000;
  private static final long TICK_MILLIS = 250;

  private final ProgressLine line;
  private final long start = System.nanoTime();
  private volatile String stage = "";
  private volatile Supplier<String> detail = () -> "";
  private Thread ticker;

  Stages(ProgressLine line) {
    this.line = line;
  }

  /** Starts a stage. */
  void begin(String name) {
    begin(name, () -> "");
  }

  /**
   * Starts a stage.
   *
   * @param progress returns its progress in words, called each time the line is shown
   */
  synchronized void begin(String name, Supplier<String> progress) {
    stage = name;
    detail = progress;
    if (line.isTerminal() && ticker == null) {
      ticker = new Thread(this::tick, "alfamix-stages");
      ticker.setDaemon(true);
      ticker.start();
    }
  }

  private void tick() {
    try {
      Thread.sleep(DELAY_MILLIS);
      while (!Thread.interrupted()) {
        synchronized (this) {
          if (ticker == null) {
            return;
          }
          line.show(
              String.format(
                  Locale.ROOT,
                  "%s%s … %.0f s",
                  stage,
                  detail.get(),
                  (System.nanoTime() - start) / 1e9));
        }
        Thread.sleep(TICK_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Clears the line until the next stage starts. */
  synchronized void clear() {
    if (ticker != null) {
      ticker.interrupt();
      ticker = null;
    }
    line.clear();
  }
}
