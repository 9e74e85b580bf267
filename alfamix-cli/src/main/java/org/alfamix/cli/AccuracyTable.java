package org.alfamix.cli;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.alfamix.lab.report.MethodResults;
import org.alfamix.lab.report.SettingResults;

/** Prints the mean accuracies of a setting, with a small learning curve for each method. */
final class AccuracyTable {
  private static final String[] BARS = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};

  private AccuracyTable() {}

  static void print(PrintWriter out, SettingResults results) {
    out.printf(
        "Test accuracy in percent, %s%s:%n%n",
        results.seeds() == 1 ? "" : "mean of ", results.seedsInWords());
    int width =
        results.methods().stream()
            .mapToInt(method -> name(method, results).length())
            .max()
            .orElse(0);
    String name = "  %-" + Math.max(17, width + 1) + "s";
    out.printf(name, "labels");
    Arrays.stream(results.labels()).forEach(labels -> out.printf("%7d", labels));
    out.println();
    double[] all =
        results.methods().stream()
            .flatMapToDouble(method -> Arrays.stream(method.means()))
            .sorted()
            .toArray();
    for (MethodResults method : results.methods()) {
      out.printf(name, name(method, results));
      Arrays.stream(method.means()).forEach(value -> out.printf(Locale.ROOT, "%7.1f", value));
      out.printf("   %s%n", curve(method.means(), all[0], all[all.length - 1]));
    }
  }

  /** Returns the label of a method, with its number of seeds if some are missing. */
  private static String name(MethodResults method, SettingResults results) {
    int seeds = method.runs().size();
    String label = method.method().label();
    return seeds == results.seeds()
        ? label
        : label + (seeds == 1 ? " (1 seed)" : " (" + seeds + " seeds)");
  }

  private static String curve(double[] values, double least, double most) {
    return Arrays.stream(values)
        .mapToObj(
            value -> {
              double share = most > least ? (value - least) / (most - least) : 1;
              return BARS[(int) Math.round(share * (BARS.length - 1))];
            })
        .collect(Collectors.joining());
  }
}
