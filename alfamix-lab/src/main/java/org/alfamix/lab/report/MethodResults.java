package org.alfamix.lab.report;

import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.alfamix.lab.run.Round;
import org.alfamix.lab.run.RunFile;
import org.alfamix.lab.setting.Method;

/**
 * The complete runs of a method in a setting.
 *
 * @param runs by seed
 * @param rounds number of rounds after round 0
 */
public record MethodResults(Method method, SortedMap<Long, RunFile> runs, int rounds) {

  public MethodResults {
    runs = new TreeMap<>(runs);
  }

  /** Returns test accuracy in per cent, seed × round. */
  double[][] accuracy() {
    return values(round -> 100 * round.accuracy());
  }

  /** Returns a value of the rounds 0 to R, seed × round. */
  double[][] values(ToDoubleFunction<Round> value) {
    return runs.values().stream()
        .map(run -> run.rounds().stream().limit(rounds + 1L).mapToDouble(value).toArray())
        .toArray(double[][]::new);
  }

  /** Returns mean test accuracy per round, in per cent. */
  public double[] means() {
    return means(accuracy());
  }

  static double[] means(double[][] values) {
    return IntStream.range(0, values[0].length)
        .mapToDouble(
            round -> Arrays.stream(values).mapToDouble(seed -> seed[round]).average().orElseThrow())
        .toArray();
  }

  /** Returns the sample standard deviation over seeds, per round; 0 for a single seed. */
  static double[] deviations(double[][] values) {
    double[] means = means(values);
    return IntStream.range(0, means.length)
        .mapToDouble(
            round -> {
              double squares =
                  Arrays.stream(values)
                      .mapToDouble(seed -> Math.pow(seed[round] - means[round], 2))
                      .sum();
              return values.length < 2 ? 0 : Math.sqrt(squares / (values.length - 1));
            })
        .toArray();
  }
}
