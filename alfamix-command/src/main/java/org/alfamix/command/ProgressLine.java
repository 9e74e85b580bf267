package org.alfamix.command;

import java.io.PrintWriter;
import java.util.function.Supplier;

/** A progress line on standard error, shown only on a terminal. */
public final class ProgressLine {
  private static final long PAUSE_NANOS = 100_000_000;

  private final PrintWriter err;
  private final boolean terminal;
  private long shownAt;
  private boolean shown;

  public ProgressLine(PrintWriter err) {
    this(err, Terminal.isInteractive());
  }

  public ProgressLine(PrintWriter err, boolean terminal) {
    this.err = err;
    this.terminal = terminal;
  }

  public boolean isTerminal() {
    return terminal;
  }

  /** Shows a line, unless the last one was shown less than 0.1 s ago. */
  public synchronized void update(Supplier<String> line) {
    if (terminal && System.nanoTime() - shownAt >= PAUSE_NANOS) {
      show(line.get());
    }
  }

  /** Replaces the current line. Lines that are wider than the terminal are truncated. */
  public synchronized void show(String line) {
    if (!terminal) {
      return;
    }
    // A line that wraps cannot be overwritten.
    err.print("\r" + line.substring(0, Math.min(line.length(), Terminal.columns() - 1)) + "\033[K");
    err.flush();
    shownAt = System.nanoTime();
    shown = true;
  }

  /** Removes the line. */
  public synchronized void clear() {
    if (shown) {
      err.print("\r\033[K");
      err.flush();
      shown = false;
    }
  }

  /** Removes the line and prints a permanent one, also if standard error is not a terminal. */
  public synchronized void print(String line) {
    clear();
    err.println(line);
    err.flush();
  }

  /**
   * Returns a bar of block characters.
   *
   * @param share the filled share, from 0 to 1
   */
  public static String bar(int width, double share) {
    int filled = (int) (width * share);
    return "█".repeat(filled) + "░".repeat(width - filled);
  }
}
