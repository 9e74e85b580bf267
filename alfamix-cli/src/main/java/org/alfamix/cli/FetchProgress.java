package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.alfamix.datasets.Fetcher;

/** How far a download is, on standard error: a line that changes where that is a terminal. */
final class FetchProgress implements Fetcher.Listener {
  private static final int WIDTH = 30;
  private static final long PAUSE = 100_000_000;

  private final String name;
  private final PrintWriter err;
  private final boolean terminal;
  private String step = "";
  private long started;
  private long shown;
  private long first = -1;

  FetchProgress(String name, PrintWriter err, boolean terminal) {
    this.name = name;
    this.err = err;
    this.terminal = terminal;
  }

  @Override
  public void begin(String what) {
    clear();
    step = what;
    started = System.nanoTime();
    first = -1;
    err.printf("alfamix: %s: %s%n", name, what);
    err.flush();
  }

  @Override
  public void progress(long done, long total) {
    if (first < 0) {
      first = done;
    }
    long now = System.nanoTime();
    if (!terminal || (now - shown < PAUSE && done != total)) {
      return;
    }
    shown = now;
    double rate = (done - first) / Math.max(1e-9, (now - started) / 1e9);
    if (total > 0) {
      int filled = (int) (WIDTH * done / total);
      err.printf(
          Locale.ROOT,
          "\r%s%s %3d %% of %.1f MB, %.1f MB/s\033[K",
          "█".repeat(filled),
          "░".repeat(WIDTH - filled),
          100 * done / total,
          total / 1e6,
          rate / 1e6);
    } else {
      err.printf(Locale.ROOT, "\r%.1f MB, %.1f MB/s\033[K", done / 1e6, rate / 1e6);
    }
    err.flush();
  }

  @Override
  public void warn(String what) {
    clear();
    err.printf("alfamix: warning: %s: %s%n", name, what);
    err.flush();
  }

  void end() {
    clear();
  }

  private void clear() {
    if (terminal && !step.isEmpty()) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
