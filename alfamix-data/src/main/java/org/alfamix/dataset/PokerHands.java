package org.alfamix.dataset;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.alfamix.dataset.Dataset.Part;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.RandomIndices;

/**
 * Hands of five cards, dealt from a full deck and named by the rules of poker: the task of R.
 * Cattral and F. Oppacher's "Poker hand" set (UCI; OpenML 155), made instead of downloaded.
 *
 * <p>A hand has ten attributes, suit and rank of each card. As in OpenML's table they are scaled to
 * run from 0 to 1.
 */
public final class PokerHands {
  static final List<String> CLASSES =
      List.of(
          "nothing",
          "one pair",
          "two pairs",
          "three of a kind",
          "straight",
          "flush",
          "full house",
          "four of a kind",
          "straight flush",
          "royal flush");

  private static final int CARDS = 5;
  private static final int RANKS = 13;
  private static final int SUITS = 4;
  private static final long SEED = 155;

  private PokerHands() {}

  /** Deals hands, the same ones every time. */
  static Dataset deal(String name, int pool, int test) {
    return new Dataset(
        name,
        CLASSES,
        deal(pool, new SplittableRandom(SEED)),
        deal(test, new SplittableRandom(SEED + 1)),
        Scaling.none(InputShape.table(2 * CARDS)));
  }

  private static Part deal(int hands, SplittableRandom random) {
    FloatMatrix attributes = FloatMatrix.zeros(hands, 2 * CARDS);
    int[] labels = new int[hands];
    int[] suits = new int[CARDS];
    int[] ranks = new int[CARDS];
    for (int i = 0; i < hands; i++) {
      int[] cards = RandomIndices.distinct(SUITS * RANKS, CARDS, random);
      for (int c = 0; c < CARDS; c++) {
        suits[c] = 1 + cards[c] / RANKS;
        ranks[c] = 1 + cards[c] % RANKS;
        attributes.set(i, 2 * c, (suits[c] - 1) / (SUITS - 1f));
        attributes.set(i, 2 * c + 1, (ranks[c] - 1) / (RANKS - 1f));
      }
      labels[i] = classOf(suits, ranks);
    }
    return new Part(new RowInputs(attributes), labels);
  }

  /**
   * What a hand is, as the number of its class.
   *
   * @param suits 1 to 4
   * @param ranks 1 for the ace to 13 for the king; the ace also follows the king
   */
  public static int classOf(int[] suits, int[] ranks) {
    int[] counts = new int[RANKS];
    for (int rank : ranks) {
      counts[rank - 1]++;
    }
    int[] sorted = ranks.clone();
    Arrays.sort(sorted);
    boolean flush = Arrays.stream(suits).distinct().count() == 1;
    boolean allDiffer = Arrays.stream(counts).allMatch(count -> count <= 1);
    boolean broadway = allDiffer && sorted[0] == 1 && sorted[1] == 10;
    boolean straight = allDiffer && (sorted[CARDS - 1] - sorted[0] == CARDS - 1 || broadway);
    if (flush && broadway) {
      return 9;
    }
    if (flush && straight) {
      return 8;
    }
    int[] most = Arrays.stream(counts).sorted().skip(RANKS - 2).toArray();
    if (most[1] == 4) {
      return 7;
    }
    if (most[1] == 3 && most[0] == 2) {
      return 6;
    }
    if (flush) {
      return 5;
    }
    if (straight) {
      return 4;
    }
    if (most[1] == 3) {
      return 3;
    }
    return most[1] == 2 ? most[0] == 2 ? 2 : 1 : 0;
  }
}
