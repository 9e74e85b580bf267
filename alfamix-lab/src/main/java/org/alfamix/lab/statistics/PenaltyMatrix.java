package org.alfamix.lab.statistics;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How often methods beat each other: in each setting the share of rounds in which the row's method
 * beats the column's, summed over settings. J. Ash et al., "Deep batch active learning by diverse,
 * uncertain gradient lower bounds", ICLR 2020.
 *
 * @param methods their names
 * @param victories row against column, summed over settings
 * @param settings in how many settings the two were compared
 */
public record PenaltyMatrix(List<String> methods, double[][] victories, int[][] settings) {

  public PenaltyMatrix {
    methods = List.copyOf(methods);
    if (victories.length != methods.size() || settings.length != methods.size()) {
      throw new IllegalArgumentException(
          "%d methods, but %d and %d rows."
              .formatted(methods.size(), victories.length, settings.length));
    }
  }

  /** The sum over settings; a method that one of them lacks counts there for nobody. */
  public static PenaltyMatrix sum(List<PenaltyMatrix> parts) {
    Set<String> names = new LinkedHashSet<>();
    parts.forEach(part -> names.addAll(part.methods));
    List<String> methods = new ArrayList<>(names);
    double[][] victories = new double[methods.size()][methods.size()];
    int[][] settings = new int[methods.size()][methods.size()];
    for (PenaltyMatrix part : parts) {
      for (int i = 0; i < part.methods.size(); i++) {
        for (int j = 0; j < part.methods.size(); j++) {
          int row = methods.indexOf(part.methods.get(i));
          int column = methods.indexOf(part.methods.get(j));
          victories[row][column] += part.victories[i][j];
          settings[row][column] += part.settings[i][j];
        }
      }
    }
    return new PenaltyMatrix(methods, victories, settings);
  }

  /** Mean over the other methods of how often they beat this one: the lower, the better. */
  public double columnMean(int column) {
    double sum = 0;
    int others = 0;
    for (int row = 0; row < methods.size(); row++) {
      if (row != column && settings[row][column] > 0) {
        sum += victories[row][column];
        others++;
      }
    }
    return others == 0 ? Double.NaN : sum / others;
  }

  /**
   * In how many per cent of the rounds one method beats another, every setting counting the same;
   * NaN where they were never compared.
   */
  public double percent(String method, String other) {
    int row = methods.indexOf(method);
    int column = methods.indexOf(other);
    return row < 0 || column < 0 || settings[row][column] == 0
        ? Double.NaN
        : 100 * victories[row][column] / settings[row][column];
  }

  /** The largest value a cell could have. */
  public int most() {
    int most = 0;
    for (int[] row : settings) {
      for (int count : row) {
        most = Math.max(most, count);
      }
    }
    return most;
  }
}
