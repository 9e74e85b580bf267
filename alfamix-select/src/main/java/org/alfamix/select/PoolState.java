package org.alfamix.select;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * The state of a pool before a round: the labelled rows with their classes, and the rows that must
 * not be picked. Immutable; {@link #label} returns the state before the next round.
 */
public final class PoolState {
  private final int size;
  private final int[] labelled;
  private final int[] labels;
  private final BitSet excluded;

  private PoolState(int size, int[] labelled, int[] labels, BitSet excluded) {
    this.size = size;
    this.labelled = labelled;
    this.labels = labels;
    this.excluded = excluded;
  }

  /** Returns the state of a pool without labels. */
  public static PoolState unlabelled(int size) {
    return new PoolState(size, new int[0], new int[0], new BitSet());
  }

  /**
   * Returns the state after further rows were labelled. The order of the rows is kept.
   *
   * @param rows distinct, and not labelled before
   * @param classes the class of each of them
   */
  public PoolState label(int[] rows, int[] classes) {
    if (rows.length != classes.length) {
      throw new IllegalArgumentException(
          "%d rows, but %d labels.".formatted(rows.length, classes.length));
    }
    BitSet known = bits(labelled);
    for (int row : rows) {
      if (row < 0 || row >= size || known.get(row)) {
        throw new IllegalArgumentException(
            row < 0 || row >= size
                ? "Row %d, expected 0 to %d.".formatted(row, size - 1)
                : "Row %d is labelled twice.".formatted(row));
      }
      known.set(row);
    }
    return new PoolState(size, concat(labelled, rows), concat(labels, classes), excluded);
  }

  /** Returns the same state with further rows that must not be picked; they may be labelled. */
  public PoolState exclude(int... rows) {
    BitSet all = (BitSet) excluded.clone();
    for (int row : rows) {
      all.set(Objects.checkIndex(row, size));
    }
    return new PoolState(size, labelled, labels, all);
  }

  private static int[] concat(int[] first, int[] second) {
    int[] result = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, result, first.length, second.length);
    return result;
  }

  private static BitSet bits(int[] rows) {
    BitSet bits = new BitSet();
    IntStream.of(rows).forEach(bits::set);
    return bits;
  }

  /** Number of rows, labelled or not. */
  public int size() {
    return size;
  }

  /** The labelled rows, in the order in which they were labelled. */
  public int[] labelled() {
    return labelled.clone();
  }

  /** The class of each labelled row. */
  public int[] labels() {
    return labels.clone();
  }

  /** The rows that may be picked, ascending. */
  public int[] eligible() {
    BitSet taken = bits(labelled);
    taken.or(excluded);
    return IntStream.range(0, size).filter(row -> !taken.get(row)).toArray();
  }
}
