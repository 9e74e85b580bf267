package org.alfamix.lab.run;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Estimates the completed share and the remaining time of experiments. Work is counted in labels,
 * because the duration of a fit is about proportional to the number of labelled items. The cost of
 * a label is measured per setting and method; before a method has run, that of the setting is used,
 * and before that of all runs.
 */
public final class ProgressEstimate {
  /** The fixed cost of a round, in labels. */
  private static final double ROUND = 20;

  private final Map<Job, Double> left = new LinkedHashMap<>();
  private final Map<String, double[]> costs = new HashMap<>();
  private final int jobs;
  private double total;
  private double done;

  /**
   * @param finished number of completed rounds of each run
   * @param jobs number of parallel runs
   */
  public ProgressEstimate(Map<Job, Integer> finished, int jobs) {
    this.jobs = jobs;
    finished.forEach(
        (job, rounds) -> {
          double all = 0;
          double complete = 0;
          for (int round = 0; round <= job.setting().schedule().rounds(); round++) {
            all += work(job, round);
            complete += round < rounds ? work(job, round) : 0;
          }
          total += all;
          done += complete;
          left.put(job, all - complete);
        });
  }

  private static double work(Job job, int round) {
    // The number of classes is unknown here, but its effect is the same in all rounds.
    return job.setting().schedule().labelsAt(round, 1) + ROUND;
  }

  /** Records a completed round. */
  public void round(Job job, Round round) {
    double work = work(job, round.number());
    double seconds = round.seconds().values().stream().mapToDouble(Double::doubleValue).sum();
    left.merge(job, -work, Double::sum);
    done += work;
    for (String key : keys(job)) {
      double[] cost = costs.computeIfAbsent(key, k -> new double[2]);
      cost[0] += seconds;
      cost[1] += work;
    }
  }

  /** Removes the remaining work of a failed run. */
  public void failed(Job job) {
    total -= left.getOrDefault(job, 0.0);
    left.remove(job);
  }

  /** Returns the keys of a run's cost, from the most to the least specific. */
  private static String[] keys(Job job) {
    String setting = job.setting().name();
    return new String[] {setting + "/" + job.method().label(), setting, ""};
  }

  /** Returns the completed share of the work, from 0 to 1. */
  public double share() {
    return total <= 0 ? 1 : Math.max(0, Math.min(1, done / total));
  }

  /** Returns the estimated remaining seconds; NaN before the first round. */
  public double secondsLeft() {
    double seconds = 0;
    double longest = 0;
    for (Map.Entry<Job, Double> each : left.entrySet()) {
      double own = each.getValue() * rate(each.getKey());
      seconds += own;
      longest = Math.max(longest, own);
    }
    return Math.max(seconds / jobs, longest); // a single run is not split among jobs
  }

  /** Returns the remaining seconds of a run; NaN if its method has not run in the setting yet. */
  double secondsLeft(Job job) {
    double[] own = costs.get(keys(job)[0]);
    return own == null ? Double.NaN : left.get(job) * own[0] / own[1];
  }

  private double rate(Job job) {
    for (String key : keys(job)) {
      double[] cost = costs.get(key);
      if (cost != null) {
        return cost[0] / cost[1];
      }
    }
    return Double.NaN;
  }
}
