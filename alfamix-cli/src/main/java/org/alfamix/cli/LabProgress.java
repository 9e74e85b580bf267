package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.alfamix.lab.run.Job;
import org.alfamix.lab.run.LabListener;
import org.alfamix.lab.run.Round;

/**
 * Tells on standard error how experiments go: a bar where that is a terminal, and a line for every
 * run that ends.
 */
final class LabProgress implements LabListener {
  private static final int WIDTH = 24;

  private final PrintWriter err;
  private final boolean terminal;
  private final boolean lines;
  private final long start = System.nanoTime();

  /** What each run has cost so far, in seconds of its own. */
  private final Map<Job, Double> seconds = new LinkedHashMap<>();

  private int runs;
  private int ended;
  private int failed;

  /** Work by labels: a fit takes about as long as it has items. */
  private double total;

  private double done;
  private double before;

  /**
   * @param lines whether every run that ends gets a line
   */
  LabProgress(PrintWriter err, boolean terminal, boolean lines) {
    this.err = err;
    this.terminal = terminal;
    this.lines = lines;
  }

  int failed() {
    return failed;
  }

  @Override
  public void planned(Map<Job, Integer> finished) {
    runs = finished.size();
    finished.forEach(
        (job, rounds) -> {
          int all = job.setting().schedule().rounds() + 1;
          for (int round = 0; round < all; round++) {
            total += work(job, round);
            before += round < rounds ? work(job, round) : 0;
          }
          ended += rounds >= all ? 1 : 0;
        });
    done = before;
    if (before > 0 && ended < runs) {
      say(
          "%d of %d runs are finished, %.0f %% of the work; going on."
              .formatted(ended, runs, 100 * before / total));
    }
  }

  private static double work(Job job, int round) {
    // Of sets per class the number of classes is not known here; it is the same for all rounds.
    return job.setting().schedule().labelsAt(round, 1) + 20;
  }

  @Override
  public void round(Job job, Round round) {
    done += work(job, round.number());
    double spent = round.seconds().values().stream().mapToDouble(Double::doubleValue).sum();
    seconds.merge(job, spent, Double::sum);
    if (terminal) {
      int filled = (int) (WIDTH * done / total);
      err.printf(
          Locale.ROOT,
          "\r%s%s %3.0f %%, %d of %d runs, %s: %.1f %% with %,d labels, %s left\033[K",
          "█".repeat(filled),
          "░".repeat(WIDTH - filled),
          Math.floor(100 * done / total),
          ended,
          runs,
          job,
          100 * round.accuracy(),
          round.labelled().length,
          left());
      err.flush();
    }
  }

  /** At the pace since the start. */
  private String left() {
    double elapsed = (System.nanoTime() - start) / 1e9;
    return "about " + duration(elapsed / (done - before) * (total - done));
  }

  static String duration(double seconds) {
    if (seconds < 100) {
      return Math.round(seconds) + " s";
    }
    long minutes = Math.round(seconds / 60);
    return minutes < 120 ? minutes + " min" : "%d h %02d min".formatted(minutes / 60, minutes % 60);
  }

  @Override
  public void finished(Job job, Round last) {
    ended++;
    if (lines) {
      say(
          String.format(
              Locale.ROOT,
              "%" + String.valueOf(runs).length() + "d/%d  %s: %.1f %% with %,d labels (%s)%s",
              ended,
              runs,
              job,
              100 * last.accuracy(),
              last.labelled().length,
              duration(seconds.getOrDefault(job, 0.0)),
              ended < runs ? ", " + left() + " left" : ""));
    }
  }

  @Override
  public void failed(Job job, Throwable why) {
    ended++;
    failed++;
    String text = why.getMessage() == null ? why.toString() : why.getMessage();
    say("alfamix: " + job + " failed: " + text.lines().findFirst().orElse(""));
    if (Boolean.getBoolean("alfamix.trace")) {
      why.printStackTrace(err);
    }
  }

  @Override
  public void drawing(String setting) {
    if (terminal) {
      err.printf("\r%s: drawing the latent space ...\033[K", setting);
      err.flush();
    }
  }

  private void say(String line) {
    clear();
    err.println(line);
    err.flush();
  }

  void clear() {
    if (terminal) {
      err.print("\r\033[K");
      err.flush();
    }
  }
}
