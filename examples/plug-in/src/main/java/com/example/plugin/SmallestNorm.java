package com.example.plugin;

import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.Criterion;
import org.alfamix.strategy.NoOptions;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Requirement;
import org.alfamix.strategy.Selection;
import org.alfamix.strategy.StrategyEntry;

/** Selects the items with the smallest embedding norms, to which the network responds least. */
public final class SmallestNorm implements QueryStrategy {
  public static final StrategyEntry<NoOptions> ENTRY =
      StrategyEntry.of("smallest-norm", "shortest embeddings", "", SmallestNorm::new)
          .withCriterion(Criterion.UNCERTAINTY);

  @Override
  public String name() {
    return ENTRY.name();
  }

  @Override
  public Set<Requirement> requirements() {
    return Set.of(); // the pool is enough
  }

  /** Every item has a score of its own, so the strategy also runs on Spark. */
  @Override
  public boolean ranks() {
    return true;
  }

  @Override
  public Selection choose(Snapshot snapshot, int budget, RandomGenerator random) {
    FloatMatrix pool = snapshot.unlabelled().toMatrix();
    float[] norms = Kernels.squaredRowNorms(pool);
    var recorder = Selection.record().candidates(snapshot.size()).phase("score");
    IntStream.range(0, norms.length)
        .boxed()
        .sorted((i, j) -> Float.compare(norms[i], norms[j]))
        .limit(budget)
        .forEach(i -> recorder.pick(pick(snapshot, i, Math.sqrt(norms[i]))));
    return recorder.phase("rank").finish();
  }

  private static Pick pick(Snapshot snapshot, int item, double norm) {
    String reason = String.format(Locale.ROOT, "its embedding has a length of only %.3g", norm);
    return new Pick(item, norm, -1, snapshot.predict(item), reason);
  }
}
