package org.alfamix.strategy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;

/**
 * Every query strategy there is. A line here makes a strategy known to the command line, the
 * benchmarks and the contract test.
 */
public final class Strategies {
  private static final List<StrategyEntry<?>> ALL =
      List.of(
          RandomSampling.ENTRY,
          Entropy.ENTRY,
          LeastConfidence.ENTRY,
          Margin.ENTRY,
          Bald.ENTRY,
          Dfal.ENTRY,
          CoreSet.ENTRY,
          Cdal.ENTRY,
          Gcnal.ENTRY,
          Badge.ENTRY,
          AlfaMix.ENTRY);

  private Strategies() {}

  /** All strategies, the baseline first. */
  public static List<StrategyEntry<?>> all() {
    return ALL;
  }

  /**
   * The entry of this name.
   *
   * @throws InvalidRequestException naming those there are
   */
  public static StrategyEntry<?> named(String name) {
    return ALL.stream()
        .filter(entry -> entry.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidRequestException(
                    "strategy",
                    "is '%s', expected one of %s."
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
