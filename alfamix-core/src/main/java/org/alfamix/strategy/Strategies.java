package org.alfamix.strategy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Every query strategy there is. A line here makes a strategy known to the command line, the
 * benchmarks and the contract test.
 */
public final class Strategies {
  private static final List<StrategyEntry<?>> ALL =
      List.of(
          new StrategyEntry<>(
              "random",
              "uniform draws, the baseline",
              "",
              NoOptions.DEFAULT,
              o -> new RandomSampling()),
          new StrategyEntry<>(
              "entropy",
              "most evenly spread probabilities",
              Entropy.CITATION,
              NoOptions.DEFAULT,
              o -> new Entropy()),
          new StrategyEntry<>(
              "least-confidence",
              "least likely best class",
              LeastConfidence.CITATION,
              NoOptions.DEFAULT,
              o -> new LeastConfidence()),
          new StrategyEntry<>(
              "margin",
              "closest best two classes",
              Margin.CITATION,
              NoOptions.DEFAULT,
              o -> new Margin()),
          new StrategyEntry<>(
              "bald",
              "most disagreement under dropout",
              Bald.CITATION,
              Bald.Options.DEFAULT,
              Bald::new),
          new StrategyEntry<>(
              "coreset",
              "farthest embeddings",
              CoreSet.CITATION,
              NoOptions.DEFAULT,
              o -> new CoreSet()),
          new StrategyEntry<>(
              "cdal", "most unlike predictions", Cdal.CITATION, NoOptions.DEFAULT, o -> new Cdal()),
          new StrategyEntry<>(
              "badge",
              "large and diverse gradients",
              Badge.CITATION,
              NoOptions.DEFAULT,
              o -> new Badge()),
          new StrategyEntry<>(
              "alfamix",
              "flipped by mixing features, then clustered",
              AlfaMix.CITATION,
              AlfaMix.Options.DEFAULT,
              AlfaMix::new));

  private Strategies() {}

  /** All strategies, the baseline first. */
  public static List<StrategyEntry<?>> all() {
    return ALL;
  }

  /**
   * The entry of this name.
   *
   * @throws IllegalArgumentException naming those there are
   */
  public static StrategyEntry<?> named(String name) {
    return ALL.stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "Unknown strategy '%s', expected one of %s."
                        .formatted(
                            name,
                            ALL.stream()
                                .map(StrategyEntry::name)
                                .collect(Collectors.joining(", ")))));
  }

  /** The strategy of this name with some of its options set. */
  public static QueryStrategy create(String name, Map<String, String> options) {
    return named(name).create(options);
  }
}
