package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.Locale;

/** A bar on standard error, shown only where that is a terminal. */
final class Progress {
  private static final int WIDTH = 30;

  private final PrintWriter err;
  private final boolean shown;
  private final int total;
  private final long start = System.nanoTime();
  private int done;

  Progress(PrintWriter err, boolean shown, int total) {
    this.err = err;
    this.shown = shown;
    this.total = total;
  }

  /** The launcher looks before it puts its filter in between; without it, ask for a console. */
  static boolean isTerminal() {
    String told = System.getProperty("alfamix.terminal");
    return told == null ? System.console() != null : Boolean.parseBoolean(told);
  }

  void step(String doing) {
    done++;
    if (!shown) {
      return;
    }
    int filled = WIDTH * done / total;
    double seconds = (System.nanoTime() - start) / 1e9;
    err.printf(
        Locale.ROOT,
        "\r%s%s %3d %%, %s, about %.0f s left\033[K",
        "█".repeat(filled),
        "░".repeat(WIDTH - filled),
        100 * done / total,
        doing,
        seconds / done * (total - done));
    err.flush();
  }

  void clear() {
    if (shown) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
