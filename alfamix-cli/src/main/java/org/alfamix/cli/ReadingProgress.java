package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.Consumer;
import org.alfamix.command.ProgressLine;
import org.alfamix.learn.embed.BackboneDatasetReader;

/** Reports downloads and the computation of features on standard error. */
final class ReadingProgress implements BackboneDatasetReader.Listener {
  private static final int WIDTH = 30;

  private final ProgressLine line;
  private final Consumer<String> remarks;

  ReadingProgress(PrintWriter err) {
    this(new ProgressLine(err));
  }

  ReadingProgress(ProgressLine line) {
    this.line = line;
    this.remarks = remark -> line.print("alfamix: " + remark);
  }

  /**
   * @param remarks receives remarks on the data
   */
  ReadingProgress(PrintWriter err, Consumer<String> remarks) {
    this.line = new ProgressLine(err);
    this.remarks = remarks;
  }

  @Override
  public Download begin(String name) {
    return new Downloading(name);
  }

  @Override
  public BackboneDatasetReader.FeatureProgress features(String backbone, String items) {
    return new Embedding(backbone, items);
  }

  @Override
  public void remark(String remark) {
    remarks.accept(remark);
  }

  private final class Downloading implements Download {
    private final String name;
    private long started;
    private long first = -1;

    Downloading(String name) {
      this.name = name;
    }

    @Override
    public void begin(String message) {
      started = System.nanoTime();
      first = -1;
      line.print("alfamix: " + name + ": " + message);
    }

    @Override
    public void progress(long done, long total) {
      if (first < 0) {
        first = done;
      }
      line.update(() -> describe(done, total));
    }

    private String describe(long done, long total) {
      double rate = (done - first) / Math.max(1e-9, (System.nanoTime() - started) / 1e9);
      return total > 0
          ? String.format(
              Locale.ROOT,
              "%s %3d %% of %.1f MB, %.1f MB/s",
              ProgressLine.bar(WIDTH, (double) done / total),
              100 * done / total,
              total / 1e6,
              rate / 1e6)
          : String.format(Locale.ROOT, "%.1f MB, %.1f MB/s", done / 1e6, rate / 1e6);
    }

    @Override
    public void warn(String message) {
      line.print("alfamix: warning: " + name + ": " + message);
    }

    @Override
    public void close() {
      line.clear();
    }
  }

  /** The computation of features; nothing is printed if they are cached. */
  private final class Embedding implements BackboneDatasetReader.FeatureProgress {
    private final String backbone;
    private final String items;
    private long started;
    private int first;

    Embedding(String backbone, String items) {
      this.backbone = backbone;
      this.items = items;
    }

    @Override
    public synchronized void done(int done, int all) {
      if (started == 0) {
        started = System.nanoTime();
        first = done;
        line.print(
            String.format(
                Locale.ROOT, "alfamix: %s: computing features of %,d %s", backbone, all, items));
      }
      line.update(
          () ->
              String.format(
                  Locale.ROOT,
                  "%,d of %,d, %.0f per second",
                  done,
                  all,
                  (done - first) / Math.max(1e-9, (System.nanoTime() - started) / 1e9)));
    }

    @Override
    public void close() {
      line.clear();
    }
  }
}
