package org.alfamix.lab.statistics;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Linear programs: maximize c · x subject to A x ≤ b, x ≥ 0, by the simplex method with Bland's
 * rule, which never cycles. Intended for tens of variables and constraints.
 *
 * @param coefficients A, one row per constraint
 * @param limits b
 */
public record LinearProgram(double[][] coefficients, double[] limits) {
  private static final double EPSILON = 1e-9;

  public LinearProgram {
    if (coefficients.length != limits.length || coefficients.length == 0) {
      throw new IllegalArgumentException(
          "Found %d rows of coefficients for %d limits, expected the same number."
              .formatted(coefficients.length, limits.length));
    }
    int variables = coefficients[0].length;
    if (Arrays.stream(coefficients).anyMatch(row -> row.length != variables)) {
      throw new IllegalArgumentException("Rows of coefficients differ in length.");
    }
  }

  /**
   * Returns the largest value of c · x; empty if no x satisfies all constraints.
   *
   * @throws IllegalArgumentException if the objective is unbounded
   */
  public OptionalDouble maximum(double[] objective) {
    if (objective.length != coefficients[0].length) {
      throw new IllegalArgumentException(
          "Objective has %d variables, expected %d."
              .formatted(objective.length, coefficients[0].length));
    }
    Tableau tableau = new Tableau();
    return tableau.findFeasible()
        ? OptionalDouble.of(tableau.maximize(objective))
        : OptionalDouble.empty();
  }

  /** Returns the smallest value of c · x; empty if no x satisfies all constraints. */
  public OptionalDouble minimum(double[] objective) {
    OptionalDouble maximum = maximum(Arrays.stream(objective).map(value -> -value).toArray());
    return maximum.isEmpty() ? maximum : OptionalDouble.of(-maximum.getAsDouble());
  }

  /**
   * One row per constraint: the coefficients of all variables, of one slack variable per row, of
   * the artificial variable that makes every start feasible, and the right side.
   */
  private final class Tableau {
    private final int rows = limits.length;
    private final int variables = coefficients[0].length;
    private final int artificial = variables + rows;
    private final int right = artificial + 1;
    private final double[][] cells = new double[rows + 1][right + 1];
    private final int[] basis = new int[rows];

    Tableau() {
      for (int r = 0; r < rows; r++) {
        System.arraycopy(coefficients[r], 0, cells[r], 0, variables);
        cells[r][variables + r] = 1;
        cells[r][artificial] = -1;
        cells[r][right] = limits[r];
        basis[r] = variables + r;
      }
    }

    /** Drives the artificial variable to zero; returns false if that is impossible. */
    boolean findFeasible() {
      int worst = 0;
      for (int r = 1; r < rows; r++) {
        worst = cells[r][right] < cells[worst][right] ? r : worst;
      }
      if (cells[worst][right] < 0) {
        cells[rows][artificial] = -1;
        pivot(worst, artificial);
        if (!improve() || cells[rows][right] > EPSILON * 1000) {
          return false;
        }
        for (int r = 0; r < rows; r++) {
          if (basis[r] == artificial) {
            leaveBasis(r);
          }
        }
      }
      for (double[] row : cells) {
        row[artificial] = 0;
      }
      return true;
    }

    /** Exchanges the artificial variable, which is zero, for that with the largest coefficient. */
    private void leaveBasis(int row) {
      int largest = 0;
      for (int c = 1; c < artificial; c++) {
        largest = Math.abs(cells[row][c]) > Math.abs(cells[row][largest]) ? c : largest;
      }
      if (Math.abs(cells[row][largest]) > EPSILON) {
        pivot(row, largest);
      }
    }

    double maximize(double[] objective) {
      Arrays.fill(cells[rows], 0);
      System.arraycopy(objective, 0, cells[rows], 0, variables);
      for (int r = 0; r < rows; r++) {
        if (basis[r] < variables) {
          subtract(rows, cells[rows][basis[r]], r);
        }
      }
      if (!improve()) {
        throw new IllegalArgumentException("The objective is unbounded.");
      }
      return -cells[rows][right];
    }

    /** Pivots until no variable improves the last row; returns false if one is unbounded. */
    private boolean improve() {
      while (true) {
        int entering = 0;
        while (entering <= artificial && cells[rows][entering] <= EPSILON) {
          entering++;
        }
        if (entering > artificial) {
          return true;
        }
        int leaving = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int r = 0; r < rows; r++) {
          if (cells[r][entering] > EPSILON) {
            double ratio = cells[r][right] / cells[r][entering];
            boolean tie = Math.abs(ratio - least) <= EPSILON;
            if (ratio < least - EPSILON || tie && basis[r] < basis[leaving]) {
              least = Math.min(ratio, least);
              leaving = r;
            }
          }
        }
        if (leaving < 0) {
          return false;
        }
        pivot(leaving, entering);
      }
    }

    private void pivot(int row, int column) {
      double factor = 1 / cells[row][column];
      for (int c = 0; c <= right; c++) {
        cells[row][c] *= factor;
      }
      for (int r = 0; r <= rows; r++) {
        if (r != row) {
          subtract(r, cells[r][column], row);
        }
      }
      basis[row] = column;
    }

    private void subtract(int from, double times, int row) {
      if (times != 0) {
        for (int c = 0; c <= right; c++) {
          cells[from][c] -= times * cells[row][c];
        }
      }
    }
  }
}
