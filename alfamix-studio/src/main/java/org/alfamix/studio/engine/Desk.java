package org.alfamix.studio.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.alfamix.math.RandomIndices;
import org.alfamix.math.Seeds;
import org.alfamix.studio.store.Pick;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.Round;
import org.alfamix.studio.store.Store;

/**
 * Who is served what: the picks of the last batch in their order, now and then an item that only
 * serves to test, and, when all picks are taken and the next batch is not there yet, what the model
 * is unsure of. So nobody waits for a model.
 */
public final class Desk {
  private static final int DRAW = 4;

  private final Store store;

  public Desk(Store store) {
    this.store = store;
  }

  /**
   * Lends some items to an annotator, the next one first.
   *
   * @param count how many: the first is shown, the others may be loaded meanwhile
   */
  public List<Integer> next(Project project, Workshop workshop, String annotator, int count) {
    ProjectOptions options = ProjectOptions.parse(project.options());
    return store.lend(
        project.id(),
        annotator,
        order(project.id(), workshop, options),
        store.skipped(project.id(), annotator),
        count,
        Duration.ofMinutes(options.leaseMinutes()));
  }

  private List<Integer> order(long project, Workshop workshop, ProjectOptions options) {
    List<Round> rounds = store.rounds(project);
    Set<Integer> spoken = store.labels(project).keySet();
    List<Integer> picks =
        rounds.isEmpty()
            ? List.of()
            : store.picks(project, rounds.get(rounds.size() - 1).number()).stream()
                .map(Pick::item)
                .filter(item -> !spoken.contains(item))
                .toList();
    Set<Integer> held = store.held(project);
    List<Integer> tests = held.stream().sorted().filter(item -> !spoken.contains(item)).toList();
    Set<Integer> order = new LinkedHashSet<>(mixed(picks, tests, spoken.size(), options));
    workshop.batch().ifPresent(batch -> order.addAll(batch.uncertain()));
    int size = store.items(project);
    int[] lots = RandomIndices.distinct(size, size, Seeds.at(options.seed(), DRAW, 0));
    IntStream.of(lots).filter(item -> !held.contains(item)).forEach(order::add);
    order.addAll(tests);
    return new ArrayList<>(order);
  }

  /** Every so many-th label is one to test with, counted over all labels of the project. */
  private static List<Integer> mixed(
      List<Integer> picks, List<Integer> tests, int before, ProjectOptions options) {
    if (options.testEvery() == 0 || tests.isEmpty()) {
      return picks;
    }
    List<Integer> mixed = new ArrayList<>();
    int p = 0;
    int t = 0;
    for (int count = before + 1; p < picks.size(); count++) {
      boolean test = count % options.testEvery() == 0 && t < tests.size();
      mixed.add(test ? tests.get(t++) : picks.get(p++));
    }
    return mixed;
  }
}
