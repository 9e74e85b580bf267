package org.alfamix.strategy;

import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.alfamix.math.Kernels;
import org.alfamix.model.Snapshot;

/**
 * Selects items with the highest entropy of the class probabilities. The score is the entropy in
 * nats.
 *
 * <p>D. Wang and Y. Shang, "A new active labeling method for deep learning", IJCNN 2014.
 */
public final class Entropy implements QueryStrategy {
  /** The entry in the registry. */
  public static final StrategyEntry<NoOptions> ENTRY =
      StrategyEntry.of(
              "entropy",
              "highest entropy of the class probabilities",
              "D. Wang, Y. Shang, \"A new active labeling method for deep learning\", IJCNN 2014",
              Entropy::new)
          .withCriterion(Criterion.UNCERTAINTY);

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(Requirement.PROBABILITIES);
  }

  @Override
  public boolean ranks() {
    return true;
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    double max = Math.log(snapshot.classes());
    return ProbabilityScores.select(
        snapshot,
        budget,
        Kernels::entropyRows,
        1,
        (score, first, second) ->
            String.format(
                Locale.ROOT,
                "entropy %.2f of at most %.2f; most likely %s or %s",
                score,
                max,
                first.name(),
                second.name()));
  }
}
