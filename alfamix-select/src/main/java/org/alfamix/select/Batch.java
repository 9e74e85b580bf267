package org.alfamix.select;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.alfamix.mix.Candidates;
import org.alfamix.mix.MixStatistics;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.Selection;

/**
 * The answer to a {@link Query}: the items to label next, and how they were chosen.
 *
 * @param pool what was asked about
 * @param picks the chosen items in the order in which they should be labelled, by row of the pool
 * @param classNames names of the classes by number, or null where they only have numbers
 * @param strategy the method
 * @param options all of its options, those that were not set with their defaults
 * @param labelled how many items were labelled
 * @param eligible the rows that could be picked, ascending
 * @param selection what the method said; null after a dry run
 * @param notes how the method went about it where it had a choice
 * @param explanations why some items are in the batch or not, where that was asked for
 * @param remark what the user should know of how the data were read, or null
 * @param headSeconds time it took to fit a head
 * @param selectSeconds time it took to choose
 */
public record Batch(
    Pool pool,
    List<Pick> picks,
    List<String> classNames,
    int classes,
    String strategy,
    Map<String, String> options,
    int budget,
    long seed,
    int labelled,
    int[] eligible,
    Selection selection,
    Map<String, String> notes,
    List<Explanation> explanations,
    String remark,
    double headSeconds,
    double selectSeconds) {

  public Batch {
    picks = List.copyOf(picks);
    explanations = List.copyOf(explanations);
  }

  /** The same batch with explanations, and a remark where it has none. */
  Batch explained(List<Explanation> explanations, String remark) {
    return new Batch(
        pool,
        picks,
        classNames,
        classes,
        strategy,
        options,
        budget,
        seed,
        labelled,
        eligible,
        selection,
        notes,
        explanations,
        this.remark == null ? remark : this.remark,
        headSeconds,
        selectSeconds);
  }

  /** What to call a class, or null for −1, which stands for no prediction. */
  public String className(int k) {
    return k < 0 ? null : classNames == null ? Integer.toString(k) : classNames.get(k);
  }

  /** How many picks of ALFA-Mix were drawn at random for want of candidates. */
  public int drawnAtRandom() {
    return selection == null || selection.toppedUp() == 0
        ? 0
        : (int) picks.stream().filter(pick -> Double.isInfinite(pick.score())).count();
  }

  /** Whether the method has candidates with flip caps. */
  public boolean hasCandidates() {
    return selection != null && selection.flips().isPresent();
  }

  /**
   * How many items flipped per anchor and cap, and how large the mixing ratios were; empty where
   * the method mixes nothing. Worked out by every call.
   */
  public Optional<MixStatistics> statistics() {
    return hasCandidates() ? Optional.of(flips().statistics()) : Optional.empty();
  }

  /** The rows of the candidates in the pool, ascending. */
  public int[] candidateRows() {
    Candidates flips = flips();
    int[] rows = new int[flips.size()];
    for (int c = 0; c < rows.length; c++) {
      rows[c] = eligible[flips.item(c)];
    }
    return rows;
  }

  /** The flip caps of the candidates, in the order of {@link #candidateRows}. */
  public double[] flipCaps() {
    Candidates flips = flips();
    double[] caps = new double[flips.size()];
    for (int c = 0; c < caps.length; c++) {
      caps[c] = flips.flip(c).cap();
    }
    return caps;
  }

  private Candidates flips() {
    return selection
        .flips()
        .orElseThrow(() -> new IllegalStateException(strategy + " has no flip caps."));
  }
}
