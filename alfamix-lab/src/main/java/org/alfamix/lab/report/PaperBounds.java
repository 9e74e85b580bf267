package org.alfamix.lab.report;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.alfamix.lab.setting.Setting;
import org.alfamix.lab.setting.Settings;
import org.alfamix.lab.statistics.LinearProgram;

/**
 * Bounds on the paper's results in single settings. The paper prints only means over groups of its
 * 30 settings, but every setting is in several groups, so that the rows constrain each other: the
 * share of rounds won in a setting, or the mean over some, lies between the solutions of two linear
 * programs.
 *
 * <p>A printed percentage is assumed to be within one point of the true mean, whether it was
 * rounded or truncated. The row of all image settings is omitted: for every method except BADGE it
 * contradicts the others (28 settings at 74 % and two at 95 % do not average 83 % over 30).
 */
final class PaperBounds {
  private static final double ROUNDING = 1;
  private static final String CONTRADICTION = "image";

  /** Settings by number in the paper. */
  private static final Map<String, Setting> SETTINGS = settings();

  private PaperBounds() {}

  /** A range of percentages of rounds. */
  record Range(double least, double most) {
    boolean contains(double percent) {
      return percent >= least - 0.5 && percent <= most + 0.5;
    }

    boolean overlaps(double from, double to) {
      return to >= least - 0.5 && from <= most + 0.5;
    }

    /** Returns the range in whole per cent, such as 46–100. */
    @Override
    public String toString() {
      return whole(least) + "–" + whole(most);
    }

    /** Rounds in two steps, because the last digits of solutions vary and must not decide ties. */
    private static long whole(double percent) {
      return Math.round(Math.round(percent * 10) / 10.0);
    }
  }

  private static Map<String, Setting> settings() {
    Map<String, Setting> byNumber = new LinkedHashMap<>();
    for (Setting setting : Settings.all()) {
      if (setting.groups().keySet().containsAll(Setting.FACTORS)) {
        setting.paper().ifPresent(number -> byNumber.putIfAbsent(number, setting));
      }
    }
    return byNumber;
  }

  /**
   * Returns the bounds of the mean over some settings; empty if the method or a setting is not in
   * the paper's table.
   *
   * @param numbers numbers of settings in the paper
   */
  static Optional<Range> of(Collection<String> numbers, String method) {
    List<String> all = List.copyOf(SETTINGS.keySet());
    double[] mean = new double[all.size()];
    for (String number : numbers) {
      if (!SETTINGS.containsKey(number)) {
        return Optional.empty();
      }
      mean[all.indexOf(number)] += 100.0 / numbers.size();
    }
    Optional<LinearProgram> program = program(all, method);
    if (numbers.isEmpty() || program.isEmpty()) {
      return Optional.empty();
    }
    OptionalDouble least = program.get().minimum(mean);
    OptionalDouble most = program.get().maximum(mean);
    return least.isEmpty()
        ? Optional.empty()
        : Optional.of(new Range(least.getAsDouble(), most.getAsDouble()));
  }

  private static Optional<LinearProgram> program(List<String> all, String method) {
    List<double[]> rows = new ArrayList<>();
    List<Double> limits = new ArrayList<>();
    for (String[] group : Paper.groups()) {
      OptionalDouble printed = Paper.percentage(group[0], group[1], method);
      if (printed.isEmpty()) {
        return Optional.empty();
      }
      if (group[1].equals(CONTRADICTION)) {
        continue;
      }
      double[] mean = meanOf(all, group[0], group[1]);
      rows.add(mean);
      limits.add(printed.getAsDouble() + ROUNDING);
      rows.add(negated(mean));
      limits.add(ROUNDING - printed.getAsDouble());
    }
    for (int s = 0; s < all.size(); s++) {
      double[] one = new double[all.size()];
      one[s] = 1;
      rows.add(one);
      limits.add(1.0);
    }
    return Optional.of(
        new LinearProgram(
            rows.toArray(double[][]::new),
            limits.stream().mapToDouble(Double::doubleValue).toArray()));
  }

  /** Returns the coefficients of the mean over a group, in per cent. */
  private static double[] meanOf(List<String> all, String factor, String level) {
    List<Boolean> in =
        all.stream()
            .map(SETTINGS::get)
            .map(each -> factor.equals("all") || level.equals(each.groups().get(factor)))
            .toList();
    double size = in.stream().filter(is -> is).count();
    return in.stream().mapToDouble(is -> is ? 100 / size : 0).toArray();
  }

  private static double[] negated(double[] row) {
    double[] result = new double[row.length];
    for (int i = 0; i < row.length; i++) {
      result[i] = -row[i];
    }
    return result;
  }
}
