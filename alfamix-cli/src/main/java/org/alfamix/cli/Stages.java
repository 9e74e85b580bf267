package org.alfamix.cli;

import java.util.Locale;
import java.util.function.Supplier;
import org.alfamix.command.ProgressLine;

/**
 * Reports the current stage on standard error, if that is a terminal and the work takes more than
 * two seconds.
 */
final class Stages {
  private static final long PATIENCE_MILLIS = 2000;
  private static final long TICK_MILLIS = 250;

  private final ProgressLine line;
  private final long start = System.nanoTime();
  private volatile String stage = "";
  private volatile Supplier<String> detail = () -> "";
  private Thread ticker;

  Stages(ProgressLine line) {
    this.line = line;
  }

  /** What begins now. */
  void begin(String what) {
    begin(what, () -> "");
  }

  /**
   * What begins now.
   *
   * @param how how far it has come, asked for each time it is shown
   */
  synchronized void begin(String what, Supplier<String> how) {
    stage = what;
    detail = how;
    if (line.isTerminal() && ticker == null) {
      ticker = new Thread(this::tick, "alfamix-stages");
      ticker.setDaemon(true);
      ticker.start();
    }
  }

  private void tick() {
    try {
      Thread.sleep(PATIENCE_MILLIS);
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

  /** Clears the line until the next stage begins. */
  synchronized void clear() {
    if (ticker != null) {
      ticker.interrupt();
      ticker = null;
    }
    line.clear();
  }
}
