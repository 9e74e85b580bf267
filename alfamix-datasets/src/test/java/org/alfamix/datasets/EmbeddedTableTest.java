package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmbeddedTableTest {

  @Test
  void letterHasTheExpectedRowsClassesAndRange() {
    Table letter = EmbeddedTable.LETTER.read();
    assertEquals(20_000, letter.size());
    assertEquals(16, letter.features().columns());
    assertEquals(26, letter.classes());
    assertEquals("T", letter.classNames().get(letter.labels()[0]));
    assertArrayEquals(
        new float[] {2, 8, 3, 5, 1, 8, 13, 0, 6, 6, 10, 8, 0, 8, 0, 8}, letter.features().row(0));
    for (float value : letter.features().array()) {
      assertTrue(value >= 0 && value <= 15);
    }
  }

  @Test
  void digitsHasTheExpectedRowsClassesAndRange() {
    Table digits = EmbeddedTable.DIGITS.read();
    assertEquals(1_797, digits.size());
    assertEquals(64, digits.features().columns());
    assertEquals(List.of("0", "1", "2", "3", "4", "5", "6", "7", "8", "9"), digits.classNames());
    assertEquals(10, Arrays.stream(digits.labels()).distinct().count());
    assertEquals(0, digits.labels()[0]);
    for (float value : digits.features().array()) {
      assertTrue(value >= 0 && value <= 16);
    }
  }
}
