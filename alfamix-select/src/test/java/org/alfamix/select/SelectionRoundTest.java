package org.alfamix.select;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.Strategies;
import org.junit.jupiter.api.Test;

class SelectionRoundTest {
  private static final int SIZE = 60;
  private static final FloatMatrix POOL = FloatMatrix.zeros(SIZE, 2);

  static {
    for (int i = 0; i < SIZE; i++) {
      POOL.set(i, 0, i);
      POOL.set(i, 1, i % 7);
    }
  }

  private static Snapshot snapshot(int[] eligible, int[] labelled, int[] labels) {
    return Snapshot.of(POOL.gather(eligible))
        .labelled(POOL.gather(labelled), labels)
        .classes(2)
        .build();
  }

  @Test
  void picksAreRowsOfThePoolThatMayBePicked() {
    PoolState state =
        PoolState.unlabelled(SIZE)
            .label(new int[] {3, 41}, new int[] {0, 1})
            .exclude(0, 1, 2, 41, 59);
    SelectionRound round =
        new SelectionRound(
            Strategies.create("coreset", Map.of()), state, SelectionRoundTest::snapshot);
    int[] expected =
        IntStream.range(0, SIZE)
            .filter(row -> !Arrays.asList(0, 1, 2, 3, 41, 59).contains(row))
            .toArray();
    assertArrayEquals(expected, round.eligible());
    SelectionRound.Outcome outcome = round.select(5, new SplittableRandom(1));
    assertEquals(5, outcome.rows().length);
    for (int p = 0; p < 5; p++) {
      int position = outcome.selection().picks().get(p).item();
      assertEquals(expected[position], outcome.rows()[p]);
      assertEquals(outcome.rows()[p], outcome.picks().get(p).item());
      assertEquals(outcome.selection().picks().get(p).score(), outcome.picks().get(p).score(), 0.0);
    }
    assertEquals(22, outcome.rows()[0], "the row farthest from both labelled rows, 3 and 41");
  }

  @Test
  void labelledPicksAreNotPickedAgain() {
    PoolState state = PoolState.unlabelled(SIZE);
    boolean[] seen = new boolean[SIZE];
    for (int round = 0; round < 6; round++) {
      int[] rows =
          new SelectionRound(
                  Strategies.create("random", Map.of()), state, SelectionRoundTest::snapshot)
              .select(10, new SplittableRandom(round))
              .rows();
      for (int row : rows) {
        assertEquals(false, seen[row], "row " + row);
        seen[row] = true;
      }
      state = state.label(rows, new int[rows.length]);
    }
    assertEquals(0, state.eligible().length);
    assertEquals(SIZE, state.labelled().length);
  }

  @Test
  void rejectsRowsThatAreLabelledTwiceOrOutsideThePool() {
    PoolState state = PoolState.unlabelled(4).label(new int[] {1}, new int[] {0});
    for (int[] rows : new int[][] {{1}, {2, 2}, {4}, {-1}}) {
      assertThrows(IllegalArgumentException.class, () -> state.label(rows, new int[rows.length]));
    }
    assertThrows(
        IllegalArgumentException.class, () -> state.label(new int[] {2, 3}, new int[] {0}));
    assertThrows(IndexOutOfBoundsException.class, () -> state.exclude(4));
    assertArrayEquals(new int[] {1}, state.labelled(), "states are immutable");
  }
}
