package org.alfamix.strategy;

import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.math.RandomIndices;
import org.alfamix.model.Snapshot;

/** Samples items uniformly at random, the baseline of all other strategies. The score is 0. */
public final class RandomSampling implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<NoOptions> ENTRY =
      StrategyEntry.of("random", "uniform random sampling, the baseline", "", RandomSampling::new)
          .withCriterion(Criterion.RANDOM);

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of();
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    Selection.Recorder recorder = Selection.record().candidates(snapshot.size());
    int[] items = RandomIndices.distinct(snapshot.size(), budget, random);
    int[] predicted = snapshot.predict(items);
    for (int p = 0; p < items.length; p++) {
      recorder.pick(pick(items[p], predicted[p]));
    }
    return recorder.phase("sample").finish();
  }

  /** Returns the pick of a sampled item. */
  public static Pick pick(int item, int predicted) {
    return new Pick(item, 0, -1, predicted, "selected at random");
  }
}
