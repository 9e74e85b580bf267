package org.alfamix.datasets;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alfamix.datasets.PokerHands.Values;
import org.alfamix.io.table.Csv;
import org.junit.jupiter.api.Test;

class PokerHandsTest {

  private static int classOf(int... hand) {
    int[] suits = new int[5];
    int[] ranks = new int[5];
    for (int c = 0; c < 5; c++) {
      suits[c] = hand[2 * c];
      ranks[c] = hand[2 * c + 1];
    }
    return PokerHands.classOf(suits, ranks);
  }

  @Test
  void classifiesEveryHand() {
    assertEquals(0, classOf(1, 1, 2, 3, 3, 5, 4, 7, 1, 9));
    assertEquals(1, classOf(1, 1, 2, 1, 3, 5, 4, 7, 1, 9));
    assertEquals(2, classOf(1, 1, 2, 1, 3, 5, 4, 5, 1, 9));
    assertEquals(3, classOf(1, 4, 2, 4, 3, 4, 4, 7, 1, 9));
    assertEquals(4, classOf(1, 1, 2, 2, 3, 3, 4, 4, 1, 5), "the ace is below the two");
    assertEquals(4, classOf(1, 10, 2, 11, 3, 12, 4, 13, 1, 1), "the ace is above the king");
    assertEquals(0, classOf(1, 11, 2, 12, 3, 13, 4, 1, 1, 2), "a straight does not wrap around");
    assertEquals(5, classOf(2, 1, 2, 3, 2, 5, 2, 7, 2, 9));
    assertEquals(6, classOf(1, 4, 2, 4, 3, 4, 4, 9, 1, 9));
    assertEquals(7, classOf(1, 4, 2, 4, 3, 4, 4, 4, 1, 9));
    assertEquals(8, classOf(3, 5, 3, 6, 3, 7, 3, 8, 3, 9));
    assertEquals(9, classOf(3, 10, 3, 11, 3, 12, 3, 13, 3, 1));
  }

  @Test
  void agreesWithTheRealTable() {
    Path file = SharedData.file("poker/poker-hand-training-true.csv.gz");
    int rows = 0;
    try (Csv table = Csv.open(file)) {
      int[] hand = new int[10];
      while (table.next()) {
        for (int c = 0; c < 10; c++) {
          hand[c] = (int) table.number(c);
        }
        assertEquals((int) table.number(10), classOf(hand), table.place());
        rows++;
      }
    }
    assertEquals(25_010, rows);
  }

  @Test
  void dealsDistinctHandsSortedByRank() {
    Dataset set = PokerHands.dealSorted("sorted", 5_000, 1_000, Values.SCALED);
    Dataset cast = PokerHands.dealSorted("cast", 5_000, 1_000, Values.SCALED_AND_CAST);
    Dataset integers = PokerHands.dealSorted("integers", 5_000, 1_000, Values.INTEGERS);
    Set<String> seen = new HashSet<>();
    float[] values = new float[10];
    float[] cut = new float[10];
    float[] whole = new float[10];
    for (Dataset.Part part : List.of(set.pool(), set.test())) {
      Dataset.Part castPart = part == set.pool() ? cast.pool() : cast.test();
      assertArrayEquals(part.labels(), castPart.labels());
      for (int i = 0; i < part.size(); i++) {
        part.inputs().read(i, values, 0);
        assertTrue(seen.add(Arrays.toString(values)), "dealt twice");
        castPart.inputs().read(i, cut, 0);
        (part == set.pool() ? integers.pool() : integers.test()).inputs().read(i, whole, 0);
        int[] hand = new int[10];
        for (int c = 0; c < 5; c++) {
          hand[2 * c] = 1 + Math.round(3 * values[2 * c]);
          hand[2 * c + 1] = 1 + Math.round(12 * values[2 * c + 1]);
          assertTrue(c == 0 || values[2 * c + 1] >= values[2 * c - 1], "sorted by rank");
          assertEquals(hand[2 * c] == 4 ? 1 : 0, cut[2 * c]);
          assertEquals(hand[2 * c + 1] == 13 ? 1 : 0, cut[2 * c + 1]);
          assertEquals(hand[2 * c], whole[2 * c]);
          assertEquals(hand[2 * c + 1], whole[2 * c + 1]);
        }
        assertEquals(classOf(hand), part.labels()[i]);
      }
    }
    assertEquals(6_000, seen.size());
  }

  /** Of 2,598,960 hands, 1,302,540 are nothing and 1,098,240 are one pair. */
  @Test
  void dealsReproducibleHandsWithTheRightFrequencies() {
    Dataset set = PokerHands.deal("poker", 20_000, 1_000);
    long nothing = Arrays.stream(set.pool().labels()).filter(label -> label == 0).count();
    long pairs = Arrays.stream(set.pool().labels()).filter(label -> label == 1).count();
    assertEquals(0.50118, nothing / 20_000.0, 0.015);
    assertEquals(0.42257, pairs / 20_000.0, 0.015);
    float[] values = new float[10];
    for (int i = 0; i < 200; i++) {
      set.pool().inputs().read(i, values, 0);
      for (float value : values) {
        assertTrue(value >= 0 && value <= 1);
      }
    }
    Dataset again = PokerHands.deal("poker", 20_000, 1_000);
    assertArrayEquals(set.pool().labels(), again.pool().labels());
  }
}
