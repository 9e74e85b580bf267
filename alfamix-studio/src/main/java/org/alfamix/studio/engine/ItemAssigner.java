package org.alfamix.studio.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.alfamix.studio.store.Project;
import org.alfamix.studio.store.Store;

/**
 * Assigns items to annotators: the picks of the last batch in their order, from time to time a
 * held-out item, and, when all picks are reserved before the next batch is ready, items that the
 * model is unsure of. Annotators never wait for a model.
 */
public final class ItemAssigner {
  private final Store store;

  public ItemAssigner(Store store) {
    this.store = store;
  }

  /**
   * Reserves items for an annotator, the next one first.
   *
   * @param count number of items; the first is shown, the others may be preloaded
   * @param first items to start with, if they are available
   */
  public List<Integer> next(
      Project project, ProjectWorker worker, String annotator, int count, List<Integer> first) {
    ProjectOptions options = ProjectOptions.parse(project.options());
    List<Integer> preferred = new ArrayList<>(first);
    preferred.addAll(preferred(project.id(), worker, options));
    return store
        .leases()
        .reserve(
            project.id(), annotator, preferred, count, Duration.ofMinutes(options.leaseMinutes()));
  }

  /** Returns the items to serve first; the store orders the others at random. */
  private List<Integer> preferred(long project, ProjectWorker worker, ProjectOptions options) {
    List<Integer> picks =
        store
            .rounds()
            .last(project)
            .map(last -> store.rounds().openPicks(project, last.number()))
            .orElse(List.of());
    List<Integer> tests = options.testEvery() == 0 ? List.of() : store.rounds().openTests(project);
    List<Integer> preferred =
        new ArrayList<>(mixed(picks, tests, store.ledger().countLabels(project), options));
    worker.batch().ifPresent(batch -> preferred.addAll(batch.uncertain()));
    return preferred;
  }

  /** Returns whether a held-out item is due, by the number of labels of the project. */
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
