package org.alfamix.lab.run;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.datasets.Dataset;
import org.alfamix.io.DataException;
import org.alfamix.lab.setting.Schedule;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Seeds;
import org.alfamix.select.PoolState;

/** The simulated annotator, which knows the class of every item that a method may pick. */
final class Oracle {
  private static final int INITIAL_LABELS = 1;

  private final Dataset data;
  private final int[] known;

  Oracle(Dataset data) {
    this.data = data;
    this.known = data.labelledItems();
  }

  int[] labels(int[] items) {
    return data.pool().labelsOf(items);
  }

  /** Returns the pool before anything is labelled. Items of unknown class cannot be picked. */
  PoolState hidden() {
    boolean[] answerable = new boolean[data.pool().size()];
    Arrays.stream(known).forEach(item -> answerable[item] = true);
    int[] unknown =
        IntStream.range(0, answerable.length).filter(item -> !answerable[item]).toArray();
    return PoolState.unlabelled(answerable.length).exclude(unknown);
  }

  /** Returns the pool once these items are labelled. */
  PoolState reveal(PoolState state, int[] items) {
    return state.label(items, labels(items));
  }

  /** Fails if the pool is too small for a schedule. */
  void requireEnough(Schedule schedule) {
    long labels = schedule.total(data.classes());
    if (labels > known.length) {
      throw new DataException(
          "%s has %d items with a known class, but the schedule needs %d (%s)."
              .formatted(data.name(), known.length, labels, schedule));
    }
  }

  /** Returns the initial items to label, which are the same for every method of a seed. */
  int[] initial(Schedule schedule, long seed) {
    SplittableRandom random = Seeds.at(seed, INITIAL_LABELS, 0);
    if (!schedule.perClass()) {
      return Arrays.stream(RandomIndices.distinct(known.length, schedule.initial(), random))
          .map(at -> known[at])
          .toArray();
    }
    List<Integer> items = new ArrayList<>();
    for (int k = 0; k < data.classes(); k++) {
      int label = k;
      int[] members =
          IntStream.of(known).filter(item -> data.pool().labels()[item] == label).toArray();
      if (members.length < schedule.initial()) {
        throw new DataException(
            "%s has %d items of class %s, expected at least %d."
                .formatted(
                    data.name(), members.length, data.classNames().get(k), schedule.initial()));
      }
      for (int at : RandomIndices.distinct(members.length, schedule.initial(), random)) {
        items.add(members[at]);
      }
    }
    return items.stream().mapToInt(Integer::intValue).toArray();
  }
}
