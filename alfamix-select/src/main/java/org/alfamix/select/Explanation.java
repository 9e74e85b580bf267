package org.alfamix.select;

import java.util.List;
import org.alfamix.inspect.Inspection;

/**
 * The reason why an item is in a batch or not.
 *
 * @param row its row in the pool
 * @param verdict the outcome, as a sentence
 * @param inspection the prediction for it and the mixes that change it, in closed form; the item
 *     itself is not among its neighbours
 * @param nearest the ids of the nearest labelled items, in the order of {@code
 *     inspection.nearest()}
 * @param probabilities its given class probabilities; empty if there are none, or if they are not
 *     numbers
 * @param usable whether its embedding is valid; an excluded item may have values that are not
 *     finite or too large
 */
public record Explanation(
    int row,
    String verdict,
    Inspection inspection,
    List<String> nearest,
    double[] probabilities,
    boolean usable) {
  public Explanation {
    nearest = List.copyOf(nearest);
  }
}
