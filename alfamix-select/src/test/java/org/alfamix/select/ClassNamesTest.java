package org.alfamix.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.alfamix.io.DataException;
import org.junit.jupiter.api.Test;

class ClassNamesTest {

  private static Labels labels(String... values) {
    return Labels.of(
        "labels.csv", List.of("a", "b", "c").subList(0, values.length), List.of(values));
  }

  private static int[] numbers(List<String> names, String... values) {
    return ClassNames.of(labels(values), names, 3, "the head").labels();
  }

  @Test
  void comparesNumericNamesAsNumbers() {
    assertArrayEquals(new int[] {0, 1, 2}, numbers(List.of("1", "2", "3"), "1.0", "2.0", "3.0"));
    assertArrayEquals(new int[] {0, 1, 2}, numbers(List.of("1.0", "2.0", "3.0"), "1", "2", "3"));
    assertArrayEquals(
        new int[] {2, 0, 1}, numbers(List.of("0.5", "1.25", "-1"), "-1.0", "0.50", "1.25"));
  }

  /** If all names are numbers, other numbers must not be interpreted as positions. */
  @Test
  void rejectsUnknownNumbersIfAllNamesAreNumbers() {
    assertEquals(
        "labels.csv, item 'a': unknown class '0.0'; the classes are 1, 2, 3.",
        assertThrows(DataException.class, () -> numbers(List.of("1", "2", "3"), "0.0", "1.0"))
            .getMessage());
  }

  @Test
  void comparesNumbersByValueIfOneNameIsAWord() {
    assertArrayEquals(
        new int[] {1, 0, 2}, numbers(List.of("1", "0", "other"), "0.0", "1.0", "other"));
    assertThrows(DataException.class, () -> numbers(List.of("1", "0", "other"), "2.0", "0"));
  }

  @Test
  void mergesSpellingsOfANumber() {
    ClassNames names = ClassNames.of(labels("5", "5.0", "x"), null, 0, "");
    assertEquals(List.of("5", "x"), names.names());
    assertArrayEquals(new int[] {0, 0, 1}, names.labels());
  }

  @Test
  void sortsDecimalsByValue() {
    ClassNames names = ClassNames.of(labels("10.5", "1.5", "3.0"), null, 0, "");
    assertEquals(List.of("1.5", "3.0", "10.5"), names.names());
  }

  @Test
  void distinguishesNamesThatAreEqualAsNumbers() {
    assertArrayEquals(new int[] {1, 0}, numbers(List.of("1", "01", "2"), "01", "1"));
  }

  @Test
  void readsNumbersAsPositionsIfNamesAreWords() {
    assertArrayEquals(new int[] {2, 0}, numbers(List.of("cat", "dog", "eel"), "2.0", "0"));
  }

  @Test
  void sortsLabelsByCodePoints() {
    ClassNames names = ClassNames.of(labels("😀", "Ａ", "z"), null, 0, "");
    assertEquals(List.of("z", "Ａ", "😀"), names.names());
    assertArrayEquals(new int[] {2, 1, 0}, names.labels());
  }
}
