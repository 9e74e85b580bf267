package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.alfamix.learn.Learner;

/** How a fit goes, in a line that changes, shown only where standard error is a terminal. */
final class TrainingProgress implements Learner.FitListener {
  private static final long PAUSE = 100_000_000;

  private final PrintWriter err;
  private final boolean terminal;
  private long shown;

  TrainingProgress(PrintWriter err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  @Override
  public void epoch(int epoch, double accuracy, double loss) {
    long now = System.nanoTime();
    if (!terminal || now - shown < PAUSE) {
      return;
    }
    shown = now;
    err.printf(
        Locale.ROOT,
        "\repoch %d: training accuracy %.1f %%, loss %.4f\033[K",
        epoch,
        100 * accuracy,
        loss);
    err.flush();
  }

  void clear() {
    if (terminal) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
