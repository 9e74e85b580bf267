package org.alfamix.lab.run;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How much of some experiments is done, and how long the rest will take. Work is counted in labels,
 * because a fit takes about as long as it has items; what a label costs is learnt per setting and
 * method, from others of the setting where a method has not run yet, and from all before that.
 */
public final class Pace {
  /** What a round costs beside its labels, in labels. */
  private static final double ROUND = 20;

  private final Map<Job, Double> left = new LinkedHashMap<>();
  private final Map<String, double[]> costs = new HashMap<>();
  private final int jobs;
  private double total;
  private double done;

  /**
   * @param finished how many rounds of each run are there already
   * @param jobs how many runs compute at once
   */
  public Pace(Map<Job, Integer> finished, int jobs) {
    this.jobs = jobs;
    finished.forEach(
        (job, rounds) -> {
          double all = 0;
          double there = 0;
          for (int round = 0; round <= job.setting().schedule().rounds(); round++) {
            all += work(job, round);
            there += round < rounds ? work(job, round) : 0;
          }
          total += all;
          done += there;
          left.put(job, all - there);
        });
  }

  private static double work(Job job, int round) {
    // Of labels per class the number of classes is not known here, but the same for all rounds.
    return job.setting().schedule().labelsAt(round, 1) + ROUND;
  }

  /** Hears of a finished round. */
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

  /** A run that came to grief takes no more time. */
  public void gaveUp(Job job) {
    total -= left.getOrDefault(job, 0.0);
    left.remove(job);
  }

  /** From what says most of a run's cost to what says least. */
  private static String[] keys(Job job) {
    String setting = job.setting().name();
    return new String[] {setting + "/" + job.method().label(), setting, ""};
  }

  /** What is done, of one. */
  public double share() {
    return total <= 0 ? 1 : Math.max(0, Math.min(1, done / total));
  }

  /** NaN before the first round. */
  public double secondsLeft() {
    double seconds = 0;
    double longest = 0;
    for (Map.Entry<Job, Double> each : left.entrySet()) {
      double own = each.getValue() * rate(each.getKey());
      seconds += own;
      longest = Math.max(longest, own);
    }
    return Math.max(seconds / jobs, longest); // one run is not shared among jobs
  }

  /** Of one run; NaN where its method has not run in this setting yet. */
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
