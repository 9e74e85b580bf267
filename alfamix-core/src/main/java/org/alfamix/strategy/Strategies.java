package org.alfamix.strategy;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.alfamix.error.InvalidRequestException;

/**
 * The registry of query strategies. Strategies that are listed here are available on the command
 * line, in benchmarks and in the contract test.
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

  /** Returns all strategies, the baseline first. */
  public static List<StrategyEntry<?>> all() {
    return ALL;
  }

  /**
   * Returns the entry with the given name.
   *
   * @throws InvalidRequestException if the name is unknown; the message lists all names
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

  /** Creates the strategy with the given name; options that are not set have their defaults. */
  public static QueryStrategy create(String name, Map<String, String> options) {
    return named(name).create(options);
  }
}
