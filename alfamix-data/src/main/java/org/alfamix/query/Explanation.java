package org.alfamix.query;

import java.util.List;
import org.alfamix.inspect.Inspection;

/**
 * Why an item is in a batch, or why not.
 *
 * @param row its row in the pool
 * @param verdict what became of it, in a sentence
 * @param inspection what the model makes of it and what would change that
 * @param nearest the ids of the nearest labelled items, in the order of {@code
 *     inspection.nearest()}
 */
public record Explanation(int row, String verdict, Inspection inspection, List<String> nearest) {
  public Explanation {
    nearest = List.copyOf(nearest);
  }
}
