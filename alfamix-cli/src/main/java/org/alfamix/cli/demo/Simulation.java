package org.alfamix.cli.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.alfamix.data.Table;
import org.alfamix.math.FloatMatrix;
import org.alfamix.math.Kernels;
import org.alfamix.math.RandomIndices;
import org.alfamix.model.LinearHead;
import org.alfamix.model.LogisticRegression;
import org.alfamix.model.Snapshot;
import org.alfamix.strategy.Pick;
import org.alfamix.strategy.QueryStrategy;
import org.alfamix.strategy.Selection;

/**
 * Active learning with an oracle that knows every label: fit, choose, reveal, again.
 *
 * <p>All strategies of one seed begin with the same labels and the same test items.
 */
public final class Simulation {
  private static final int FEATURES = 256;
  private static final double SCALE = 3;
  private static final LogisticRegression.Options FIT =
      new LogisticRegression.Options(0.1, 500, 1e-4);

  private final Table table;
  private final FloatMatrix embeddings;
  private final int testSize;
  private final int budget;
  private final int rounds;

  /**
   * A run of one strategy with one seed.
   *
   * @param accuracy share of test items predicted rightly, with the initial labels and after each
   *     round
   * @param example the first pick of the first round
   */
  public record Run(double[] accuracy, Optional<Pick> example) {}

  public Simulation(Table table, int budget, int rounds) {
    this.table = table;
    this.budget = budget;
    this.rounds = rounds;
    this.testSize = Math.min(2000, table.size() / 5);
    if ((long) budget * (rounds + 1) > poolSize()) {
      throw new IllegalArgumentException(
          "%d labels to begin with and %d rounds of %d are more than the pool of %d items."
              .formatted(budget, rounds, budget, poolSize()));
    }
    this.embeddings = RandomFeatures.of(table.features(), FEATURES, SCALE, 1);
  }

  public int poolSize() {
    return table.size() - testSize;
  }

  public int testSize() {
    return testSize;
  }

  public int features() {
    return FEATURES;
  }

  /** Runs one strategy; {@code afterRound} is called each time an accuracy is known. */
  public Run run(QueryStrategy strategy, long seed, Runnable afterRound) {
    int[] order = RandomIndices.distinct(table.size(), table.size(), new SplittableRandom(seed));
    int[] test = Arrays.copyOf(order, testSize);
    List<Integer> labelled = boxed(order, testSize, testSize + budget);
    List<Integer> unlabelled = boxed(order, testSize + budget, order.length);
    SplittableRandom random = new SplittableRandom(seed);
    double[] accuracy = new double[rounds + 1];
    Optional<Pick> example = Optional.empty();
    for (int round = 0; ; round++) {
      int[] known = unboxed(labelled);
      int[] labels = labelsOf(known);
      FloatMatrix knownEmbeddings = embeddings.gather(known);
      LinearHead head =
          LogisticRegression.fit(knownEmbeddings, labels, table.classes(), FIT).head();
      accuracy[round] = accuracy(head, test);
      afterRound.run();
      if (round == rounds) {
        return new Run(accuracy, example);
      }
      int[] pool = unboxed(unlabelled);
      Snapshot snapshot =
          Snapshot.of(embeddings.gather(pool))
              .labelled(knownEmbeddings, labels)
              .head(head)
              .classNames(table.classNames())
              .build();
      Selection selection = strategy.select(snapshot, budget, random.split());
      example = example.or(() -> selection.picks().stream().findFirst());
      Set<Integer> picked =
          Arrays.stream(selection.items()).mapToObj(i -> pool[i]).collect(Collectors.toSet());
      unlabelled.removeIf(picked::contains);
      Arrays.stream(selection.items()).forEach(i -> labelled.add(pool[i]));
    }
  }

  private double accuracy(LinearHead head, int[] test) {
    FloatMatrix logits = head.logits(embeddings.gather(test));
    int right = 0;
    for (int i = 0; i < test.length; i++) {
      int predicted = Kernels.argmax(logits.array(), logits.rowOffset(i), logits.columns());
      right += predicted == table.labels()[test[i]] ? 1 : 0;
    }
    return (double) right / test.length;
  }

  private int[] labelsOf(int[] items) {
    return Arrays.stream(items).map(item -> table.labels()[item]).toArray();
  }

  private static List<Integer> boxed(int[] items, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> items[i])
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static int[] unboxed(List<Integer> items) {
    return items.stream().mapToInt(Integer::intValue).toArray();
  }
}
