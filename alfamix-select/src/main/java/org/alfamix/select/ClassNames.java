package org.alfamix.select;

import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.alfamix.error.InvalidRequestException;
import org.alfamix.io.CodePoints;
import org.alfamix.io.DataException;

/**
 * The numbers of the classes that labels name.
 *
 * <p>If names are given, class k is the k-th of them; numeric names are compared as numbers, so
 * that {@code 1.0} is {@code 1}. Without names, labels that are all integers are class numbers;
 * otherwise class k is the k-th of the sorted labels.
 *
 * @param names the names by number, or null if there are only numbers
 * @param count number of classes
 * @param labels the class of each labelled item, in the order of {@link Labels#rows}
 */
public record ClassNames(List<String> names, int count, int[] labels) {
  /** The largest class number; without a head it determines the number of classes. */
  private static final int MAX_CLASS_NUMBERS = 1000;

  /**
   * @param given the names in the order of the head's columns, or null
   * @param columns number of classes of the head or the probabilities; 0 if there are neither
   * @param columnsOf the name of the head or the probabilities, for messages
   */
  public static ClassNames of(Labels labels, List<String> given, int columns, String columnsOf) {
    List<String> values = labels.values();
    if (given != null) {
      if (columns > 0 && given.size() != columns) {
        throw new DataException(
            "%s has %d classes, but %d class names were given."
                .formatted(columnsOf, columns, given.size()));
      }
      return new ClassNames(given, given.size(), numbersOf(labels, given));
    }
    if (values.stream().allMatch(ClassNames::isInteger)) {
      return ofNumbers(labels, columns, columnsOf);
    }
    List<String> sorted = sorted(values);
    if (columns > 0 && sorted.size() != columns) {
      throw new DataException(
              "%s has %d classes, but the labels have %d distinct values."
                  .formatted(columnsOf, columns, sorted.size()))
          .advise("list the class names in their order", "classNames");
    }
    return new ClassNames(sorted, sorted.size(), numbersOf(labels, sorted));
  }

  private static ClassNames ofNumbers(Labels labels, int columns, String columnsOf) {
    int[] numbers = numbers(labels, columns, columnsOf);
    if (columns > 0) {
      return new ClassNames(null, columns, numbers);
    }
    int most = -1;
    for (int i = 0; i < numbers.length; i++) {
      most = Math.max(most, numbers[i]);
      if (numbers[i] >= Math.max(MAX_CLASS_NUMBERS, 10L * numbers.length)) {
        throw new DataException(
                "%s: class %d, expected consecutive class numbers from 0."
                    .formatted(labels.describe(i), numbers[i]))
            .advise("for other codes, list the classes", "classNames");
      }
    }
    return new ClassNames(null, most + 1, numbers);
  }

  /** Returns the labels as class numbers, each below {@code columns} unless that is 0. */
  private static int[] numbers(Labels labels, int columns, String columnsOf) {
    List<String> values = labels.values();
    int[] numbers = new int[values.size()];
    for (int i = 0; i < numbers.length; i++) {
      long number = (long) Double.parseDouble(values.get(i));
      if (number < 0 || number > Integer.MAX_VALUE || (columns > 0 && number >= columns)) {
        throw new DataException(
            "%s: class %d, expected %s."
                .formatted(
                    labels.describe(i),
                    number,
                    columns > 0
                        ? "0 to %d: %s has %d classes".formatted(columns - 1, columnsOf, columns)
                        : "a class number of at least 0"));
      }
      numbers[i] = (int) number;
    }
    return numbers;
  }

  /**
   * Returns the distinct labels: sorted by value if all are numbers, otherwise by code points. Of
   * several spellings of a number, the shortest is its name.
   */
  private static List<String> sorted(List<String> values) {
    Map<Object, String> names = new HashMap<>();
    for (String value : values) {
      names.merge(key(value), value, (one, other) -> other.length() < one.length() ? other : one);
    }
    boolean numeric = names.keySet().stream().allMatch(BigDecimal.class::isInstance);
    Comparator<String> byValue = Comparator.comparing(BigDecimal::new);
    return names.values().stream().sorted(numeric ? byValue : CodePoints.ORDER).toList();
  }

  /**
   * Resolves labels as names, or, if all names are words and all labels are numbers, as positions.
   * One file never mixes the two.
   */
  private static int[] numbersOf(Labels labels, List<String> names) {
    List<String> values = labels.values();
    int[] numbers = values.stream().mapToInt(value -> indexOf(value, names)).toArray();
    boolean words = names.stream().noneMatch(name -> key(name) instanceof BigDecimal);
    for (int i = 0; i < numbers.length; i++) {
      if (numbers[i] < 0) {
        if (words && values.stream().allMatch(ClassNames::isInteger)) {
          return numbers(labels, names.size(), "the list of class names");
        }
        throw new DataException(
            "%s: unknown class '%s'; the classes are %s."
                .formatted(labels.describe(i), values.get(i), TableColumns.list(names)));
      }
    }
    return numbers;
  }

  /** Returns the position of a label among the names: as text, otherwise by value. */
  private static int indexOf(String label, List<String> names) {
    int written = names.indexOf(label);
    if (written >= 0) {
      return written;
    }
    int[] equal =
        IntStream.range(0, names.size()).filter(k -> areSame(label, names.get(k))).toArray();
    return equal.length == 1 ? equal[0] : -1;
  }

  /** Returns whether two labels mean the same class: texts that are equal, or equal numbers. */
  static boolean areSame(String one, String other) {
    return one.equals(other) || key(one).equals(key(other));
  }

  /** Returns the value of a numeric text, otherwise the text. */
  private static Object key(String text) {
    return text.matches("[+-]?\\d{1,18}(\\.\\d{1,18})?")
        ? new BigDecimal(text).stripTrailingZeros()
        : text;
  }

  /**
   * Parses names that are separated by commas, or reads a file with one name per line.
   *
   * @throws InvalidRequestException if there are no names, or duplicates
   */
  public static List<String> parse(String text) {
    boolean listed = text.indexOf(',') >= 0;
    if (!listed && !Files.exists(Path.of(text))) {
      throw new InvalidRequestException(
          "classNames",
          "is " + text + ": no such file; expected a file or names separated by commas.");
    }
    boolean file = !listed && Files.isRegularFile(Path.of(text));
    List<String> names =
        new ArrayList<>(file ? TextLines.read(Path.of(text)) : List.of(text.split(",")));
    names.replaceAll(String::strip);
    names.removeIf(String::isEmpty);
    if (names.isEmpty()) {
      throw new InvalidRequestException("classNames", "has no names.");
    }
    if (names.size() != names.stream().distinct().count()) {
      throw new InvalidRequestException("classNames", "has duplicate names.");
    }
    return names;
  }

  /**
   * Returns whether a text is an integer, including 3.0, as pandas writes integers in a column with
   * missing values.
   */
  private static boolean isInteger(String text) {
    return text.matches("[+-]?\\d{1,18}(\\.0+)?");
  }
}
