package org.alfamix.lab.setting;

import java.util.Arrays;
import java.util.List;

/**
 * The number of labels of each round.
 *
 * @param initial number of initial labels, in total or per class
 * @param perClass whether {@code initial} is per class
 * @param budgets number of labels that each round adds
 */
public record Schedule(int initial, boolean perClass, List<Integer> budgets) {

  public Schedule {
    budgets = List.copyOf(budgets);
  }

  public int rounds() {
    return budgets.size();
  }

  /** Returns the number of labelled items of a round; round 0 has the initial ones. */
  public int labelsAt(int round, int classes) {
    return (int) Math.min(countAt(round, classes), Integer.MAX_VALUE); // larger than any pool
  }

  private long countAt(int round, int classes) {
    long labels = perClass ? (long) initial * classes : initial;
    for (int r = 0; r < round; r++) {
      labels += budgets.get(r);
    }
    return labels;
  }

  /** Returns the number of labelled items after the last round, without overflow. */
  public long total(int classes) {
    return countAt(rounds(), classes);
  }

  /** Returns a schedule with the same budget in every round. */
  public static Schedule constant(int initial, int budget, int rounds) {
    Integer[] budgets = new Integer[rounds];
    Arrays.fill(budgets, budget);
    return new Schedule(initial, false, List.of(budgets));
  }

  @Override
  public String toString() {
    boolean constant = budgets.stream().distinct().count() == 1;
    String more =
        constant
            ? "%d x %d".formatted(budgets.size(), budgets.get(0))
            : String.join(", ", budgets.stream().map(String::valueOf).toList());
    return initial + (perClass ? " per class" : "") + " + " + more;
  }
}
