package org.alfamix.select;

import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.ClassCap;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Selection;

/**
 * One round of active learning: labels → snapshot → selection. All selections on one machine use
 * this class, whether the model comes from files, an experiment or the studio. The caller obtains
 * labels for the picks and continues with {@link PoolState#label}.
 */
public final class SelectionRound {
  /** No limit on the picks of one predicted class. */
  public static final int NO_CAP = Integer.MAX_VALUE;

  private final QueryStrategy strategy;
  private final int[] eligible;
  private final Snapshot snapshot;
  private final double snapshotSeconds;

  /** Describes a pool by the current model. */
  @FunctionalInterface
  public interface Model {
    /**
     * Returns a snapshot whose unlabelled items are the eligible rows, in this order.
     *
     * @param labels the class of each labelled row
     */
    Snapshot snapshot(int[] eligible, int[] labelled, int[] labels);
  }

  /**
   * The outcome of a round.
   *
   * @param selection as the strategy returned it; its picks are positions among the eligible rows
   * @param picks the same picks by their row in the pool
   * @param rows the rows of the picks
   * @param seconds the time that the strategy took
   */
  public record Outcome(Selection selection, List<Pick> picks, int[] rows, double seconds) {}

  /** Requests a snapshot of a pool from the model. */
  public SelectionRound(QueryStrategy strategy, PoolState state, Model model) {
    this(strategy, state.eligible(), state, model);
  }

  private SelectionRound(QueryStrategy strategy, int[] eligible, PoolState state, Model model) {
    this.strategy = strategy;
    this.eligible = eligible;
    long start = System.nanoTime();
    this.snapshot = model.snapshot(eligible, state.labelled(), state.labels());
    this.snapshotSeconds = since(start);
  }

  /** Returns the snapshot; its items are positions among the {@link #eligible} rows. */
  public Snapshot snapshot() {
    return snapshot;
  }

  /** Returns the rows that may be picked, ascending. */
  public int[] eligible() {
    return eligible.clone();
  }

  /** Returns the time of computing the snapshot. */
  public double snapshotSeconds() {
    return snapshotSeconds;
  }

  /** Selects a batch. A budget beyond the eligible rows takes all of them. */
  public Outcome select(int budget, RandomGenerator random) {
    return select(budget, NO_CAP, random);
  }

  /** Selects a batch with at most {@code perClassCap} picks of one predicted class. */
  public Outcome select(int budget, int perClassCap, RandomGenerator random) {
    long start = System.nanoTime();
    Selection selection =
        perClassCap == NO_CAP
            ? strategy.select(snapshot, budget, random)
            : strategy.select(snapshot, budget, ClassCap.of(snapshot, perClassCap), random);
    List<Pick> picks = selection.picks().stream().map(this::inPool).toList();
    int[] rows = picks.stream().mapToInt(Pick::item).toArray();
    return new Outcome(selection, picks, rows, since(start));
  }

  private Pick inPool(Pick pick) {
    return new Pick(
        eligible[pick.item()], pick.score(), pick.cluster(), pick.predicted(), pick.reason());
  }

  /** Returns the rows of some positions among the eligible rows. */
  public int[] rows(int[] positions) {
    return IntStream.of(positions).map(position -> eligible[position]).toArray();
  }

  private static double since(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
