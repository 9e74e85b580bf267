package org.alfamix.select;

import java.util.List;
import org.alfamix.strategy.Pick;

/**
 * Picks as they are written to files.
 *
 * @param pool the pool they come from, which knows their ids
 * @param picks in the order in which they should be labelled, by row of the pool
 * @param classNames names of the classes by number, or null where they only have numbers
 * @param strategy the name of the method
 */
public record PickList(Pool pool, List<Pick> picks, List<String> classNames, String strategy) {

  public PickList {
    picks = List.copyOf(picks);
  }

  public int size() {
    return picks.size();
  }

  /** Returns the id of the item that a pick is. */
  public String id(Pick pick) {
    return pool.id(pick.item());
  }

  /** Returns the name of a class, or null for −1, which stands for no prediction. */
  public String className(int k) {
    return k < 0 ? null : classNames == null ? Integer.toString(k) : classNames.get(k);
  }
}
