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
 * Samples items like k-means++ over a distributed pool, with exactly the probabilities of k-means++
 * but few passes.
 *
 * <p>The method thins a Poisson process. Every item is proposed at random times, at a rate w that
 * is its squared distance to the picks at the start of the round. Distances only shrink, so the
 * current squared distance d² of a proposed item is at most w, and it is accepted with probability
 * d² / w. Every item is thus accepted at a rate of d² at any time: the next accepted item is a
 * sample by squared distance, given the earlier picks. A round is a window of time with about the
 * requested number of proposals. They are sent to the driver, which can process them without the
 * rest of the pool.
 *
 * <p>Times and coins are determined by the seed, the round and the id of an item, so that the
 * result does not depend on the partitioning.
 */
final class ThinnedSampler {
  private static final int FIRST_PROPOSALS = 64;
  private static final int MAX_PROPOSALS = 16_384;

  private final SharedModel model;
  private final Pool pool;
  private final List<PoolBlock> picks = new ArrayList<>();
  private final List<Double> scores = new ArrayList<>();
  private int rounds;

  /** A proposed item. */
  record Proposal(PoolBlock item, double weight, double time, double coin)
      implements Serializable {}

  /** The result of a pass over the pool: the proposals, and the sum of all weights. */
  record Round(List<Proposal> proposals, double sum) {}

  /** The pool, which may be distributed. */
  interface Pool {
    /** Returns the item with the largest gradient; the first of equal ones. */
    PoolBlock largest();

    /**
     * Returns the proposals in a window of time.
     *
     * @param picks all picks so far, in order
     * @param length the length of the window; 0 for only the sum
     */
    Round round(int round, PoolBlock picks, double length);

    /** Returns items that are not picked, if all coincide with picks. */
    List<PoolBlock> others(Set<Comparable<?>> picked, int count);
  }

  ThinnedSampler(SharedModel model, Pool pool) {
    this.model = model;
    this.pool = pool;
  }

  /** Picks as many items as the budget. */
  void run(int budget) {
    PoolBlock first = pool.largest();
    picks.add(first);
    scores.add((double) Badge.gradients(model.snapshot(first.rows())).squaredNorm(0));
    double sum = budget > 1 ? pool.round(rounds++, all(), 0).sum() : 0;
    int wanted = FIRST_PROPOSALS;
    while (picks.size() < budget) {
      if (!Double.isFinite(sum)) {
        throw new DataException(
            "The squared gradients exceed the range of float; scale the embeddings down.");
      }
      if (!(sum > 0)) {
        coincident(budget);
        return;
      }
      // A power of two, because the last digits of the sum depend on the order of summation.
      double length = wanted / Math.scalb(1.0, Math.getExponent(sum) + 1);
      Round round = pool.round(rounds++, all(), length);
      take(round.proposals(), budget);
      sum = round.sum();
      wanted = Math.min(2 * wanted, MAX_PROPOSALS);
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
   * Adds the proposals of one block.
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
