package org.alfamix.select;

import java.util.List;
import java.util.Optional;
import org.alfamix.mix.Candidates;
import org.alfamix.mix.MixStatistics;
import org.alfamix.strategy.MixDiagnostics;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.Selection;

/**
 * The answer to a {@link Query}: the items to label next, and how they were selected.
 *
 * @param list the picks, with their pool and the names of the classes
 * @param selection as the strategy returned it; empty after a dry run
 * @param times how long it took
 * @param explanations the requested explanations why items are in the batch or not
 * @param remark a note for the user on how the data were read, or null
 */
public record Batch(
    PickList list,
    BatchRequest request,
    BatchScope scope,
    Optional<Selection> selection,
    Times times,
    List<Explanation> explanations,
    String remark) {

  /** The duration of fitting a head and of selecting, in seconds. */
  public record Times(double head, double select) {}

  public Batch {
    explanations = List.copyOf(explanations);
  }

  /** Returns the same batch with explanations, and with a remark if it has none. */
  Batch explained(List<Explanation> reasons, String note) {
    return new Batch(
        list, request, scope, selection, times, reasons, remark == null ? note : remark);
  }

  public Pool pool() {
    return list.pool();
  }

  /** The selected items in the order in which they should be labelled, by row of the pool. */
  public List<Pick> picks() {
    return list.picks();
  }

  /** Returns the name of a class, or null for −1, which stands for no prediction. */
  public String className(int k) {
    return list.className(k);
  }

  /**
   * Returns the number of picks that were selected at random because there were too few candidates.
   */
  public int randomPicks() {
    return selection.map(Selection::toppedUp).orElse(0);
  }

  /** Candidates, flip caps and clusters; empty if the strategy does not mix features. */
  public Optional<MixDiagnostics> mixing() {
    return selection.flatMap(MixDiagnostics::of);
  }

  /**
   * Returns the number of flips per anchor and cap, and the size of the mixing ratios; empty if the
   * strategy does not mix features. Computed by every call.
   */
  public Optional<MixStatistics> statistics() {
    return mixing().map(details -> details.candidates().statistics());
  }

  /** The rows of the candidates in the pool, ascending. */
  public int[] candidateRows() {
    Candidates candidates = candidates();
    int[] rows = new int[candidates.size()];
    for (int c = 0; c < rows.length; c++) {
      rows[c] = scope.eligible()[candidates.item(c)];
    }
    return rows;
  }

  /** The flip caps of the candidates, in the order of {@link #candidateRows}. */
  public double[] flipCaps() {
    Candidates candidates = candidates();
    double[] caps = new double[candidates.size()];
    for (int c = 0; c < caps.length; c++) {
      caps[c] = candidates.flip(c).cap();
    }
    return caps;
  }

  private Candidates candidates() {
    return mixing()
        .orElseThrow(() -> new IllegalStateException(request.strategy() + " has no flip caps."))
        .candidates();
  }
}
