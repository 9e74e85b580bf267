package org.alfamix.lab.setting;

import java.util.Arrays;
import java.util.List;

/**
 * How many labels there are, round by round.
 *
 * @param initial how many to begin with: in all, or of each class
 * @param perClass whether that is of each class
 * @param budgets how many are added in each round
 */
public record Schedule(int initial, boolean perClass, List<Integer> budgets) {

  public Schedule {
    budgets = List.copyOf(budgets);
  }

  public int rounds() {
    return budgets.size();
  }

  /** How many items are labelled in a round; round 0 has the initial ones. */
  public int labelsAt(int round, int classes) {
    return (int) Math.min(countAt(round, classes), Integer.MAX_VALUE); // more than any pool has
  }

  private long countAt(int round, int classes) {
    long labels = perClass ? (long) initial * classes : initial;
    for (int r = 0; r < round; r++) {
      labels += budgets.get(r);
    }
    return labels;
  }

  /** How many are labelled in the end, however many that is. */
  public long total(int classes) {
    return countAt(rounds(), classes);
  }

  /** The same budget in every round. */
  public static Schedule even(int initial, int budget, int rounds) {
    Integer[] budgets = new Integer[rounds];
    Arrays.fill(budgets, budget);
    return new Schedule(initial, false, List.of(budgets));
  }

  @Override
  public String toString() {
    boolean even = budgets.stream().distinct().count() == 1;
    String more =
        even
            ? "%d x %d".formatted(budgets.size(), budgets.get(0))
            : String.join(", ", budgets.stream().map(String::valueOf).toList());
    return initial + (perClass ? " a class" : "") + " + " + more;
  }
}
