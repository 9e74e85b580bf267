package org.alfamix.strategy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.model.Snapshot;

/**
 * Applies a cap per class to any strategy: keeps the picks that the cap allows and selects again
 * among the remaining items until the budget is exhausted.
 */
final class CappedRounds {
  private final QueryStrategy strategy;
  private final Snapshot snapshot;
  private final int budget;
  private final ClassCap cap;
  private final List<Pick> kept = new ArrayList<>();

  /** Items that have been kept or deferred. */
  private final BitSet taken;

  /** Picks with the same embedding as a kept pick; used only if no other items remain. */
  private final List<Pick> duplicates = new ArrayList<>();

  private final Set<List<Float>> keptEmbeddings = new HashSet<>();
  private int clusters;
  private int toppedUp;

  private CappedRounds(QueryStrategy strategy, Snapshot snapshot, int budget, ClassCap cap) {
    this.strategy = strategy;
    this.snapshot = snapshot;
    this.budget = budget;
    this.cap = cap;
    this.taken = new BitSet(snapshot.size());
  }

  /**
   * Returns the picks, with all other details from the first round. The number of picks is less
   * than the budget if every class has reached its cap.
   */
  static Selection choose(
      QueryStrategy strategy, Snapshot snapshot, int budget, ClassCap cap, RandomGenerator random) {
    return new CappedRounds(strategy, snapshot, budget, cap).run(random);
  }

  private Selection run(RandomGenerator random) {
    Selection first = null;
    int rounds = 0;
    int[] items = cap.allowed(taken);
    while (items.length > 0 && kept.size() < budget) {
      int count = Math.min(budget - kept.size(), items.length);
      Snapshot remaining = items.length == snapshot.size() ? snapshot : snapshot.subset(items);
      Selection round = strategy.choose(remaining, count, random);
      keep(round, items);
      first = first == null ? round : first;
      rounds++;
      items = cap.allowed(taken);
    }
    for (Pick duplicate : duplicates) {
      if (kept.size() < budget && cap.allows(duplicate.item())) {
        keep(duplicate);
      }
    }
    if (first == null) {
      return Selection.EMPTY;
    }
    Map<String, String> notes = new LinkedHashMap<>(first.notes());
    notes.put("rounds", Integer.toString(rounds));
    return new Selection(
        kept, first.candidates(), toppedUp, first.diagnostics(), notes, first.seconds());
  }

  private void keep(Selection round, int[] items) {
    // Random picks for lack of candidates come last.
    int chosen = round.picks().size() - round.toppedUp();
    int firstCluster = clusters;
    for (int p = 0; p < round.picks().size(); p++) {
      Pick offered = round.picks().get(p);
      int item = items[offered.item()];
      boolean clustered = offered.cluster() >= 0;
      int cluster = clustered ? firstCluster + offered.cluster() : -1;
      clusters = Math.max(clusters, cluster + 1);
      if (kept.size() == budget || !cap.allows(item)) {
        continue;
      }
      Pick pick = new Pick(item, offered.score(), cluster, cap.predicted(item), offered.reason());
      if (clustered && keptEmbeddings.contains(embedding(item))) {
        taken.set(item);
        duplicates.add(pick);
        continue;
      }
      keep(pick);
      toppedUp += p >= chosen ? 1 : 0;
      if (clustered) {
        keptEmbeddings.add(embedding(item));
      }
    }
  }

  private void keep(Pick pick) {
    kept.add(pick);
    taken.set(pick.item());
    cap.picked(pick.item());
  }

  private List<Float> embedding(int item) {
    float[] row = snapshot.unlabelled().slice(item, item + 1).row(0);
    Float[] values = new Float[row.length];
    Arrays.setAll(values, d -> row[d]);
    return List.of(values);
  }
}
