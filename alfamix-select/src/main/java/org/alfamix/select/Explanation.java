package org.alfamix.select;

import java.util.List;
import org.alfamix.inspect.Inspection;

/**
 * Why an item is in a batch, or why not.
 *
 * @param row its row in the pool
 * @param verdict what became of it, in a sentence
 * @param inspection what the head makes of it and what would change that, by mixing in closed form;
 *     without an item itself among its neighbours
 * @param nearest the ids of the nearest labelled items, in the order of {@code
 *     inspection.nearest()}
 * @param probabilities its class probabilities as they were given; empty where none were, or no
 *     numbers
 * @param usable whether its embedding could be looked at; an excluded item may have values that are
 *     no numbers, or too large
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
