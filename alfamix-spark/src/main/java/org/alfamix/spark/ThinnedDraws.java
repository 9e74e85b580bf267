package org.alfamix.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.alfamix.cluster.OuterProductPoints;
import org.alfamix.io.DataException;
import org.alfamix.math.Seeds;
import org.alfamix.strategy.Badge;

/**
 * The draws of k-means++ over a pool that nobody holds as a whole, with the very probabilities of
 * k-means++ but few passes.
 *
 * <p>Every item proposes itself at random times, at a rate w that is its squared distance to the
 * picks when a round began. Distances only shrink, so when an item's turn comes its distance d² is
 * at most w, and it is taken with probability d² / w. That leaves every item a rate of d² at any
 * time: the next one taken is a draw by squared distance, whatever was taken before. A round is a
 * window of time in which about as many items propose themselves as was asked for; its proposals
 * come to the driver, and what they do there needs no look at the rest of the pool.
 *
 * <p>Times and coins follow from the seed, the round and the id of an item: how the pool is
 * partitioned is of no account.
 */
final class ThinnedDraws {
  private static final int FIRST_PROPOSALS = 64;
  private static final int MOST_PROPOSALS = 16_384;

  private final SharedModel model;
  private final Pool pool;
  private final List<PoolBlock> picks = new ArrayList<>();
  private final List<Double> scores = new ArrayList<>();
  private int rounds;

  /** An item that proposes itself. */
  record Proposal(PoolBlock item, double weight, double time, double coin)
      implements Serializable {}

  /** What a pass over the pool brings: the proposals, and the sum of all weights. */
  record Round(List<Proposal> proposals, double sum) {}

  /** The pool, wherever it is. */
  interface Pool {
    /** The item of the largest gradient; of equal ones the first. */
    PoolBlock largest();

    /**
     * Proposals in a window of time.
     *
     * @param picks all picks so far, in order
     * @param length of the window; 0 for the sum alone
     */
    Round round(int round, PoolBlock picks, double length);

    /** So many items that are not picked, where all coincide with picks. */
    List<PoolBlock> others(Set<Comparable<?>> picked, int count);
  }

  ThinnedDraws(SharedModel model, Pool pool) {
    this.model = model;
    this.pool = pool;
  }

  /** Picks so many items. */
  void run(int budget) {
    PoolBlock first = pool.largest();
    picks.add(first);
    scores.add((double) Badge.gradients(model.snapshot(first.rows())).squaredNorm(0));
    double sum = budget > 1 ? pool.round(rounds++, all(), 0).sum() : 0;
    int wanted = FIRST_PROPOSALS;
    while (picks.size() < budget) {
      if (!Double.isFinite(sum)) {
        throw new DataException(
            "The gradients are so large that their squares exceed the range of float; scale the"
                + " embeddings down.");
      }
      if (!(sum > 0)) {
        coincident(budget);
        return;
      }
      // A power of two: the last digit of the sum, which depends on the order, must not matter.
      double length = wanted / Math.scalb(1.0, Math.getExponent(sum) + 1);
      Round round = pool.round(rounds++, all(), length);
      take(round.proposals(), budget);
      sum = round.sum();
      wanted = Math.min(2 * wanted, MOST_PROPOSALS);
    }
  }

  private void coincident(int budget) {
    Set<Comparable<?>> picked = new HashSet<>(Arrays.asList(all().ids()));
    for (PoolBlock item : pool.others(picked, budget - picks.size())) {
      picks.add(item);
      scores.add(0.0);
    }
  }

  private void take(List<Proposal> proposals, int budget) {
    List<Proposal> inTime = new ArrayList<>(proposals);
    inTime.sort(
        (one, two) -> {
          int order = Double.compare(one.time(), two.time());
          return order != 0 ? order : Ids.compare(one.item().id(0), two.item().id(0));
        });
    PoolBlock items =
        PoolBlock.joined(inTime.stream().map(Proposal::item).toList(), model.features());
    if (items.size() == 0) {
      return;
    }
    OuterProductPoints gradients = Badge.gradients(model.snapshot(items.rows()));
    float[] least = new float[items.size()];
    for (int i = 0; i < least.length; i++) {
      least[i] = (float) inTime.get(i).weight();
    }
    Set<Comparable<?>> taken = new HashSet<>();
    for (int i = 0; i < least.length && picks.size() < budget; i++) {
      Proposal proposal = inTime.get(i);
      if (taken.contains(items.id(i)) || proposal.coin() * proposal.weight() >= least[i]) {
        continue;
      }
      taken.add(items.id(i));
      picks.add(proposal.item());
      scores.add((double) least[i]);
      gradients.lowerDistances(i, least);
    }
  }

  PoolBlock all() {
    return PoolBlock.joined(picks, model.features());
  }

  double score(int pick) {
    return scores.get(pick);
  }

  int rounds() {
    return rounds;
  }

  /**
   * The proposals of one block.
   *
   * @param weights the squared distance of each item to the picks, 0 for picks
   */
  static void propose(
      PoolBlock items,
      float[] weights,
      long seed,
      int round,
      double length,
      List<Proposal> proposals) {
    for (int i = 0; i < items.size(); i++) {
      if (weights[i] == 0) {
        continue;
      }
      long place = Seeds.scatter(Ids.hash(items.id(i))) + round;
      SplittableRandom random = new SplittableRandom(Seeds.scatter(seed ^ Seeds.scatter(place)));
      double time = 0;
      while ((time -= Math.log(1 - random.nextDouble()) / weights[i]) < length) {
        proposals.add(
            new Proposal(items.gather(new int[] {i}), weights[i], time, random.nextDouble()));
      }
    }
  }
}
