package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.alfamix.command.ExitCode;
import org.alfamix.command.OptionNames;
import org.alfamix.command.ProgressLine;
import org.alfamix.lab.run.Job;
import org.alfamix.lab.run.LabListener;
import org.alfamix.lab.run.ProgressEstimate;
import org.alfamix.lab.run.Round;

/**
 * Reports the progress of experiments on standard error: a progress bar on a terminal, and a line
 * for each finished run.
 */
final class LabProgress implements LabListener {
  private static final int WIDTH = 24;

  private final ProgressLine line;
  private final PrintWriter err;
  private final OptionNames names;
  private final boolean printsRuns;
  private final int jobs;

  /** The duration of each run so far, in seconds. */
  private final Map<Job, Double> seconds = new LinkedHashMap<>();

  private int runs;
  private int ended;
  private int exitCode = ExitCode.SUCCESS;

  private ProgressEstimate pace;

  /**
   * @param names the option names of the command, for messages
   * @param printsRuns whether to print a line for each finished run
   * @param jobs number of parallel runs
   */
  LabProgress(ProgressLine line, PrintWriter err, OptionNames names, boolean printsRuns, int jobs) {
    this.line = line;
    this.names = names;
    this.jobs = jobs;
    this.err = err;
    this.printsRuns = printsRuns;
  }

  @Override
  public void planned(Map<Job, Integer> finished) {
    runs = finished.size();
    pace = new ProgressEstimate(finished, jobs);
    ended =
        (int)
            finished.entrySet().stream()
                .filter(each -> each.getValue() > each.getKey().setting().schedule().rounds())
                .count();
    if (ended == runs) {
      print(
          runs == 1
              ? "The run is already complete."
              : "All " + runs + " runs are already complete.");
    } else if (pace.share() > 0) {
      print(
          String.format(
              Locale.ROOT,
              "Resuming: %d of %d runs and %.0f %% of the work are complete.",
              ended,
              runs,
              100 * pace.share()));
    }
  }

  @Override
  public void round(Job job, Round round) {
    pace.round(job, round);
    double spent = round.seconds().values().stream().mapToDouble(Double::doubleValue).sum();
    seconds.merge(job, spent, Double::sum);
    line.show(
        String.format(
            Locale.ROOT,
            "%s %3.0f %%, %s left; %d of %d runs; %s: %.1f %% with %,d labels",
            ProgressLine.bar(WIDTH, pace.share()),
            Math.floor(100 * pace.share()),
            left(),
            ended,
            runs,
            job,
            100 * round.accuracy(),
            round.labelled().length));
  }

  private String left() {
    double left = pace.secondsLeft();
    return left < 1 ? "less than 1 s" : "about " + duration(left);
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
    if (printsRuns) {
      print(
          String.format(
              Locale.ROOT,
              "%" + String.valueOf(runs).length() + "d/%d  %s: %.1f %% with %,d labels (%s)%s",
              ended,
              runs,
              job,
              100 * last.accuracy(),
              last.labelled().length,
              duration(seconds.getOrDefault(job, 0.0)),
              ended < runs && !line.isTerminal() ? ", " + left() + " left" : ""));
    }
  }

  @Override
  public void failed(Job job, Throwable why) {
    ended++;
    noteFailure(why);
    pace.failed(job);
    print("alfamix: " + job + " failed: " + names.message(why).lines().findFirst().orElse(""));
    if (Boolean.getBoolean("alfamix.trace")) {
      why.printStackTrace(err);
    }
  }

  @Override
  public void drawing(String setting) {
    line.show(setting + ": computing the map of the latent space ...");
  }

  @Override
  public void mapFailed(String setting, Throwable why) {
    noteFailure(why);
    print(
        "alfamix: %s: the map of the latent space could not be computed: %s"
            .formatted(setting, names.message(why)));
  }

  /** Stores the exit code of the first failure; an internal error takes precedence. */
  private void noteFailure(Throwable why) {
    int code = ExitCode.of(why);
    if (exitCode == ExitCode.SUCCESS || code == ExitCode.INTERNAL) {
      exitCode = code;
    }
  }

  /** Returns the exit code of the command: 0 if nothing failed. */
  int exitCode() {
    return exitCode;
  }

  private void print(String text) {
    line.print(text);
  }
}
