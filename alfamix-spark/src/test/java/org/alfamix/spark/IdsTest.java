package org.alfamix.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class IdsTest {

  /** The order of texts in Spark and Python. */
  @Test
  void comparesTextsByCodePoints() {
    List<String> sorted = Stream.of("😀", "Ａ", "b").sorted(Ids::compare).toList();
    assertEquals(List.of("b", "Ａ", "😀"), sorted);
  }

  @Test
  void comparesNumbersByValue() {
    assertTrue(Ids.compare(9L, 10L) < 0);
    assertTrue(Ids.compare(null, 10L) < 0);
  }
}
