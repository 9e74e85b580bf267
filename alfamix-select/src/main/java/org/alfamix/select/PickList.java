package org.alfamix.select;

import java.util.List;
import org.alfamix.strategy.Pick;

/**
 * Picks with what is needed to write them to files.
 *
 * @param pool the pool, which has the ids
 * @param picks in the order in which they should be labelled, by row of the pool
 * @param classNames names of the classes by number, or null if there are only numbers
 * @param strategy the name of the strategy
 */
public record PickList(Pool pool, List<Pick> picks, List<String> classNames, String strategy) {

  public PickList {
    picks = List.copyOf(picks);
  }

  public int size() {
    return picks.size();
  }

  /** Returns the id of a picked item. */
  public String id(Pick pick) {
    return pool.id(pick.item());
  }

  /** Returns the name of a class, or null for −1, which stands for no prediction. */
  public String className(int k) {
    return k < 0 ? null : classNames == null ? Integer.toString(k) : classNames.get(k);
  }
}
