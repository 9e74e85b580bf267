package org.alfamix.studio.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.Store;

/**
 * Who is served what: the picks of the last batch in their order, now and then an item that only
 * serves to test, and, when all picks are taken and the next batch is not there yet, what the model
 * is unsure of. So nobody waits for a model.
 */
public final class Desk {
  private final Store store;

  public Desk(Store store) {
    this.store = store;
  }

  /**
   * Lends some items to an annotator, the next one first.
   *
   * @param count how many: the first is shown, the others may be loaded meanwhile
   * @param first items to begin with, where they can be had
   */
  public List<Integer> next(
      Project project, Workshop workshop, String annotator, int count, List<Integer> first) {
    ProjectOptions options = ProjectOptions.parse(project.options());
    List<Integer> preferred = new ArrayList<>(first);
    preferred.addAll(preferred(project.id(), workshop, options));
    return store
        .leases()
        .lend(
            project.id(), annotator, preferred, count, Duration.ofMinutes(options.leaseMinutes()));
  }

  /** What is served first; the store draws lots among the others. */
  private List<Integer> preferred(long project, Workshop workshop, ProjectOptions options) {
    List<Integer> picks =
        store
            .rounds()
            .last(project)
            .map(last -> store.rounds().openPicks(project, last.number()))
            .orElse(List.of());
    List<Integer> tests = options.testEvery() == 0 ? List.of() : store.rounds().openTests(project);
    List<Integer> preferred =
        new ArrayList<>(mixed(picks, tests, store.ledger().countLabels(project), options));
    workshop.batch().ifPresent(batch -> preferred.addAll(batch.uncertain()));
    return preferred;
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
