package org.alfamix.datasets;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.alfamix.datasets.Dataset.Part;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.RandomIndices;

/**
 * Generates hands of five cards, dealt from a full deck and classified by the rules of poker. This
 * is the task of the "Poker hand" data set of R. Cattral and F. Oppacher (UCI; OpenML 155), without
 * a download.
 *
 * <p>A hand has ten attributes: suit and rank of each card. It is not known whether OpenML's table
 * has integers or scaled values; both can be generated.
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

  /** The encoding of suits (1 to 4) and ranks (1 to 13) as attributes. */
  enum Values {
    /** From 0 to 1. */
    SCALED,
    /** From 0 to 1, then truncated to integers: all values except clubs and kings become 0. */
    SCALED_AND_CAST,
    /** Unchanged integers. */
    INTEGERS;

    float of(int value, int max) {
      float scaled = (value - 1) / (max - 1f);
      return switch (this) {
        case SCALED -> scaled;
        case SCALED_AND_CAST -> (int) scaled;
        case INTEGERS -> value;
      };
    }
  }

  private PokerHands() {}

  /** Deals hands; the result is always the same. */
  static Dataset deal(String name, int pool, int test) {
    return new Dataset(
        name,
        CLASSES,
        deal(pool, new SplittableRandom(SEED)),
        deal(test, new SplittableRandom(SEED + 1)),
        Scaling.none(InputShape.table(2 * CARDS)));
  }

  /**
   * Deals distinct hands whose cards are sorted by rank and suit, probably as in OpenML's table.
   * That table has 829,201 hands, and a million hands dealt at random contain 830,100 distinct ones
   * on average: it may be UCI's million hands without duplicates, as described by A. Bifet et al.
   * ("Leveraging bagging for evolving data streams", ECML PKDD 2010). All hands are equally likely,
   * so the first distinct hands dealt here are distributed like a random part of such a table.
   */
  static Dataset dealSorted(String name, int pool, int test, Values values) {
    SplittableRandom random = new SplittableRandom(SEED);
    List<int[]> hands = new ArrayList<>();
    Set<Long> dealt = new HashSet<>();
    while (hands.size() < pool + test) {
      int[] cards = RandomIndices.distinct(SUITS * RANKS, CARDS, random);
      if (dealt.add(Arrays.stream(cards).mapToLong(card -> 1L << card).sum())) {
        hands.add(sorted(cards));
      }
    }
    return new Dataset(
        name,
        CLASSES,
        part(hands.subList(0, pool), values),
        part(hands.subList(pool, pool + test), values),
        Scaling.none(InputShape.table(2 * CARDS)));
  }

  private static int[] sorted(int[] cards) {
    return Arrays.stream(cards)
        .boxed()
        .sorted(Comparator.<Integer>comparingInt(card -> card % RANKS).thenComparing(card -> card))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  private static Part deal(int hands, SplittableRandom random) {
    List<int[]> dealt = new ArrayList<>();
    for (int i = 0; i < hands; i++) {
      dealt.add(RandomIndices.distinct(SUITS * RANKS, CARDS, random));
    }
    return part(dealt, Values.SCALED);
  }

  private static Part part(List<int[]> hands, Values values) {
    FloatMatrix attributes = FloatMatrix.zeros(hands.size(), 2 * CARDS);
    int[] labels = new int[hands.size()];
    int[] suits = new int[CARDS];
    int[] ranks = new int[CARDS];
    for (int i = 0; i < labels.length; i++) {
      for (int c = 0; c < CARDS; c++) {
        int card = hands.get(i)[c];
        suits[c] = 1 + card / RANKS;
        ranks[c] = 1 + card % RANKS;
        attributes.set(i, 2 * c, values.of(suits[c], SUITS));
        attributes.set(i, 2 * c + 1, values.of(ranks[c], RANKS));
      }
      labels[i] = classOf(suits, ranks);
    }
    return new Part(new RowInputs(attributes), labels);
  }

  /**
   * Returns the class number of a hand.
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
    int[] largestCounts = Arrays.stream(counts).sorted().skip(RANKS - 2).toArray();
    if (largestCounts[1] == 4) {
      return 7;
    }
    if (largestCounts[1] == 3 && largestCounts[0] == 2) {
      return 6;
    }
    if (flush) {
      return 5;
    }
    if (straight) {
      return 4;
    }
    if (largestCounts[1] == 3) {
      return 3;
    }
    return largestCounts[1] == 2 ? largestCounts[0] == 2 ? 2 : 1 : 0;
  }
}
