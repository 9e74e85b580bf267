package org.alfamix.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.alfamix.cluster.OuterProductPoints;
import org.alfamix.math.FloatMatrix;
import org.alfamix.model.LinearHead;
import org.alfamix.strategy.Badge;
import org.alfamix.strategy.Pick;
import org.junit.jupiter.api.Test;

/** Samples of a distributed pool have the same probabilities as those of a local pool. */
class ThinnedSamplerTest {
  private static final int ITEMS = 12;
  private static final int BUDGET = 4;
  private static final int TRIALS = 20_000;

  /** A pool in memory with the interface of a distributed one. */
  private record Local(SharedModel model, PoolBlock items) implements ThinnedSampler.Pool {
    @Override
    public PoolBlock largest() {
      OuterProductPoints gradients = Badge.gradients(model.snapshot(items.rows()));
      int first = 0;
      for (int i = 1; i < items.size(); i++) {
        first = gradients.squaredNorm(i) > gradients.squaredNorm(first) ? i : first;
      }
      return items.gather(new int[] {first});
    }

    @Override
    public ThinnedSampler.Round round(int round, PoolBlock picks, double length) {
      PoolBlock both = PoolBlock.joined(List.of(items, picks), items.features());
      OuterProductPoints gradients = Badge.gradients(model.snapshot(both.rows()));
      float[] least = new float[both.size()];
      Arrays.fill(least, Float.POSITIVE_INFINITY);
      IntStream.range(items.size(), both.size()).forEach(c -> gradients.lowerDistances(c, least));
      Set<Comparable<?>> gone = new HashSet<>(Arrays.asList(picks.ids()));
      float[] weights = Arrays.copyOf(least, items.size());
      double sum = 0;
      for (int i = 0; i < weights.length; i++) {
        weights[i] = gone.contains(items.id(i)) ? 0 : weights[i];
        sum += weights[i];
      }
      List<ThinnedSampler.Proposal> proposals = new ArrayList<>();
      ThinnedSampler.propose(items, weights, model.seed(), round, length, proposals);
      return new ThinnedSampler.Round(proposals, sum);
    }

    @Override
    public List<PoolBlock> others(Set<Comparable<?>> picked, int count) {
      return IntStream.range(0, items.size())
          .filter(i -> !picked.contains(items.id(i)))
          .limit(count)
          .mapToObj(i -> items.gather(new int[] {i}))
          .toList();
    }
  }

  private static SharedModel model(long seed) {
    SplittableRandom random = new SplittableRandom(4);
    FloatMatrix weights = FloatMatrix.zeros(3, 5);
    for (int i = 0; i < weights.array().length; i++) {
      weights.array()[i] = (float) random.nextGaussian();
    }
    LinearHead head = new LinearHead(weights, new float[3]);
    return new SharedModel(
        "badge", Map.of(), seed, head, FloatMatrix.zeros(0, 5), new int[0], 3, null);
  }

  private static PoolBlock items() {
    SplittableRandom random = new SplittableRandom(5);
    Comparable<?>[] ids = IntStream.range(0, ITEMS).mapToObj(Long::valueOf).toArray(Long[]::new);
    float[] values = new float[ITEMS * 5];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return new PoolBlock(ids, values, 5);
  }

  @Test
  void sequencesHaveTheFrequenciesOfTheLocalEngine() {
    PoolBlock items = items();
    Map<List<Long>, int[]> counts = new HashMap<>();
    for (int seed = 0; seed < TRIALS; seed++) {
      SharedModel model = model(seed);
      ThinnedSampler sampler = new ThinnedSampler(model, new Local(model, items));
      sampler.run(BUDGET);
      List<Long> here = Arrays.stream(sampler.all().ids()).map(Long.class::cast).toList();
      List<Long> local = new ArrayList<>();
      for (Pick pick :
          new Badge().select(model.snapshot(items.rows()), BUDGET, model.random()).picks()) {
        local.add((long) pick.item());
      }
      counts.computeIfAbsent(here, key -> new int[2])[0]++;
      counts.computeIfAbsent(local, key -> new int[2])[1]++;
    }
    // For two samples of the same distribution, each difference is about the root of the sum.
    double statistic = 0;
    int cells = 0;
    for (int[] pair : counts.values()) {
      if (pair[0] + pair[1] >= 20) {
        statistic += Math.pow(pair[0] - pair[1], 2) / (pair[0] + pair[1]);
        cells++;
      }
    }
    assertTrue(cells > 50, "expected more than 50 frequent sequences, found " + cells);
    double deviation = (statistic - cells) / Math.sqrt(2 * cells);
    assertTrue(deviation < 4, "χ² is " + deviation + " standard deviations above its mean");
  }

  @Test
  void picksCoincidentItems() {
    SharedModel model = model(1);
    Comparable<?>[] ids = {3L, 1L, 2L};
    float[] values = new float[15];
    Arrays.fill(values, 1);
    ThinnedSampler sampler =
        new ThinnedSampler(model, new Local(model, new PoolBlock(ids, values, 5)));
    sampler.run(3);
    assertEquals(Set.of(1L, 2L, 3L), Set.copyOf(Arrays.asList(sampler.all().ids())));
  }
}
