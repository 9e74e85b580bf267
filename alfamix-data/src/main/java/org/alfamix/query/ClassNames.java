package org.alfamix.query;

import java.util.List;
import java.util.TreeSet;
import org.alfamix.data.DataException;

/**
 * Which number each label stands for.
 *
 * <p>Labels that are all integers are class numbers. Otherwise they are names: class k is the k-th
 * of the names that were given, or of those that occur, sorted.
 *
 * @param names the names by number, or null where numbers are all there is
 * @param count number of classes
 * @param labels the class of each labelled item, in the order of {@link Labels#rows}
 */
record ClassNames(List<String> names, int count, int[] labels) {

  /**
   * @param given the names in the order of the head's columns, or null
   * @param columns how many classes the head or the probabilities have; 0 where there are neither
   * @param columnsOf what has them, for messages
   */
  static ClassNames of(Labels labels, List<String> given, int columns, String columnsOf) {
    List<String> values = labels.values();
    if (given != null) {
      if (columns > 0 && given.size() != columns) {
        throw new DataException(
            "%s has %d classes, but %d class names were given."
                .formatted(columnsOf, columns, given.size()));
      }
      return new ClassNames(given, given.size(), numbers(labels, given));
    }
    if (values.stream().allMatch(ClassNames::isInteger)) {
      return ofNumbers(labels, columns, columnsOf);
    }
    List<String> sorted = List.copyOf(new TreeSet<>(values));
    if (columns > 0 && sorted.size() != columns) {
      throw new DataException(
          ("%s has %d classes, but the labels have %d names; say with --classes which name stands"
                  + " for which class.")
              .formatted(columnsOf, columns, sorted.size()));
    }
    return new ClassNames(sorted, sorted.size(), numbers(labels, sorted));
  }

  private static ClassNames ofNumbers(Labels labels, int columns, String columnsOf) {
    List<String> values = labels.values();
    int[] numbers = new int[values.size()];
    int most = -1;
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = number(labels, i, values.get(i));
      if (numbers[i] < 0 || (columns > 0 && numbers[i] >= columns)) {
        throw new DataException(
            "%s: class %d, expected 0 to %s."
                .formatted(
                    labels.describe(i),
                    numbers[i],
                    columns > 0
                        ? columns - 1 + ": " + columnsOf + " has " + columns + " classes"
                        : "the number of classes less one"));
      }
      most = Math.max(most, numbers[i]);
    }
    return new ClassNames(null, columns > 0 ? columns : most + 1, numbers);
  }

  private static int number(Labels labels, int i, String value) {
    try {
      return Integer.parseInt(value);
    } catch (NumberFormatException e) {
      throw new DataException(
          "%s: class %s is no class number.".formatted(labels.describe(i), value), e);
    }
  }

  private static int[] numbers(Labels labels, List<String> names) {
    List<String> values = labels.values();
    boolean integers = values.stream().allMatch(ClassNames::isInteger);
    int[] numbers = new int[values.size()];
    for (int i = 0; i < numbers.length; i++) {
      String value = values.get(i);
      numbers[i] = names.indexOf(value);
      if (numbers[i] < 0 && integers) {
        numbers[i] = number(labels, i, value);
      }
      if (numbers[i] < 0 || numbers[i] >= names.size()) {
        throw new DataException(
            "%s: the class '%s' has no column; the classes are %s."
                .formatted(labels.describe(i), value, TableColumns.list(names)));
      }
    }
    return numbers;
  }

  private static boolean isInteger(String text) {
    return text.matches("[+-]?\\d+");
  }
}
