package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.Locale;
import org.alfamix.learn.embed.Backbones;

/**
 * How many images have become features, on standard error; nothing where they are there already.
 */
final class EmbedProgress implements Backbones.Progress {
  private static final long PAUSE = 100_000_000;

  private final String backbone;
  private final String items;
  private final PrintWriter err;
  private final boolean terminal;
  private long started;
  private long shown;
  private int first;

  /**
   * @param items what is turned into features, as {@code images}
   */
  EmbedProgress(String backbone, String items, PrintWriter err, boolean terminal) {
    this.backbone = backbone;
    this.items = items;
    this.err = err;
    this.terminal = terminal;
  }

  @Override
  public synchronized void done(int done, int all) {
    long now = System.nanoTime();
    if (started == 0) {
      started = now;
      first = done;
      err.printf(Locale.ROOT, "alfamix: %s: making features of %,d %s%n", backbone, all, items);
    }
    if (terminal && (now - shown > PAUSE || done == all)) {
      shown = now;
      err.printf(
          Locale.ROOT,
          "\r%,d of %,d, %.0f a second\033[K",
          done,
          all,
          (done - first) / Math.max(1e-9, (now - started) / 1e9));
    }
    err.flush();
  }

  void end() {
    if (terminal && started > 0) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
