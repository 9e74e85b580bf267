package org.alfamix.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IdsTest {

  /** As Spark itself sorts texts, and Python. */
  @Test
  void textsAreInTheOrderOfTheirCodePoints() {
    List<String> sorted = Stream.of("😀", "Ａ", "b").sorted(Ids::compare).toList();
    assertEquals(List.of("b", "Ａ", "😀"), sorted);
  }

  @Test
  void numbersAreInTheOrderOfTheirValues() {
    assertTrue(Ids.compare(9L, 10L) < 0);
    assertTrue(Ids.compare(null, 10L) < 0);
  }
}
