package org.alfamix.lab.statistics;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The penalty matrix: in each setting the share of rounds in which the row's method beats the
 * column's, summed over settings. J. Ash et al., "Deep batch active learning by diverse, uncertain
 * gradient lower bounds", ICLR 2020.
 *
 * @param methods their names
 * @param victories shares of rounds won, row against column, summed over settings
 * @param settings number of settings in which the two were compared
 */
public record PenaltyMatrix(List<String> methods, double[][] victories, int[][] settings) {

  public PenaltyMatrix {
    methods = List.copyOf(methods);
    if (victories.length != methods.size() || settings.length != methods.size()) {
      throw new IllegalArgumentException(
          "Expected matrices with a row for each of %d methods, found %d and %d rows."
              .formatted(methods.size(), victories.length, settings.length));
    }
  }

  /** Returns the sum over settings; a method that is missing in a setting is not counted there. */
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

  /** Returns how often the other methods beat this one on average; lower is better. */
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
   * Returns the percentage of rounds that a method wins against another, with equal weights of
   * settings; NaN if they were never compared.
   */
  public double percent(String method, String other) {
    int row = methods.indexOf(method);
    int column = methods.indexOf(other);
    return row < 0 || column < 0 || settings[row][column] == 0
        ? Double.NaN
        : 100 * victories[row][column] / settings[row][column];
  }

  /** Returns the largest possible value of a cell: the number of settings. */
  public int maximum() {
    int maximum = 0;
    for (int[] row : settings) {
      for (int count : row) {
        maximum = Math.max(maximum, count);
      }
    }
    return maximum;
  }
}
